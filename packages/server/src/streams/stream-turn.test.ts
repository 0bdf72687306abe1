import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import OpenAI from 'openai'
import type { Model } from 'turnbuckle'
import { expect, test } from 'vitest'
import { type Served, serve } from '../../test/serve.ts'

/** Six megabytes, said at once: no reader has a moment to take a piece before the next comes. */
const pieces = Array.from({ length: 1000 }, (_, i) => `${i} `.padEnd(6000, 'x'))
const burst: Model = {
  id: 'burst',
  async *stream() {
    for (const text of pieces) yield { type: 'text', text }
    yield { type: 'finish', reason: 'stop' }
  },
}

const clientOf = ({ url }: Served) => new OpenAI({ apiKey: 'secret', baseURL: `${url}/v1`, maxRetries: 0 })
const headers = { authorization: 'Bearer secret' }

async function completion(server: Served): Promise<string> {
  const messages = [{ role: 'user' as const, content: 'go' }]
  let text = ''
  for await (const { choices } of await clientOf(server).chat.completions.create({
    model: 'm',
    messages,
    stream: true,
  }))
    text += choices[0]?.delta.content ?? ''
  return text
}
async function response(server: Served): Promise<string> {
  let text = ''
  for await (const event of await clientOf(server).responses.create({ model: 'm', input: 'go', stream: true }))
    if (event.type === 'response.output_text.delta') text += event.delta
  return text
}
async function chat(server: Served): Promise<string> {
  const transport = new DefaultChatTransport({ api: `${server.url}/api/chat`, headers })
  const page = new Chat<UIMessage>({ id: 'c', transport })
  await page.sendMessage({ text: 'go' })
  return page.lastMessage?.parts.map(part => (part.type === 'text' ? part.text : '')).join('') ?? ''
}
async function agUi({ url }: Served): Promise<string> {
  const body = JSON.stringify({ threadId: 'c', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'go' }] })
  const lines = (await (await fetch(`${url}/ag-ui`, { method: 'POST', headers, body })).text()).split('\n')
  const events = lines.flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  expect(events.at(-1).type).toBe('RUN_FINISHED')
  return events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? delta : '')).join('')
}

test.each([
  { form: 'a chat completion', read: completion },
  { form: 'a response', read: response },
  { form: 'the AI SDK', read: chat },
  { form: 'AG-UI', read: agUi },
])('a reply of six megabytes that is said at once reaches a reader of $form whole', async ({ read }) => {
  expect((await read(await serve({ model: burst }))) === pieces.join('')).toBe(true)
})
