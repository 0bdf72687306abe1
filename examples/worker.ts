// A worker (Cloudflare, Deno, Bun): an agent behind `fetch`, as a stream for `useChat` and as plain text.
import { createAgent } from 'turnbuckle'
import { fromUIMessage, type SentUIMessage, toUIMessageStreamResponse } from 'turnbuckle/ai-sdk'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({ model: scriptedModel(['Hello from a worker.', 'In plain text.']) })

const worker = {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/chat') {
      const { messages } = (await request.json()) as { messages: SentUIMessage[] }
      return toUIMessageStreamResponse(agent.send(fromUIMessage(messages.at(-1) ?? { parts: [] })))
    }
    const { text } = await agent.send(await request.text())
    return new Response(text)
  },
}
export default worker

const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }]
const chat = { method: 'POST', body: JSON.stringify({ id: 'chat-1', messages }) }
const streamed = await worker.fetch(new Request('https://agent.example.org/api/chat', chat))
console.log(/"delta":"(.*?)"/.exec(await streamed.text())?.[1])
const plain = await worker.fetch(new Request('https://agent.example.org/', { method: 'POST', body: 'Hello?' }))
console.log(await plain.text())
