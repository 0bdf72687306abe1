import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { aiSdk, type ProviderModel } from 'turnbuckle/ai-sdk'
import { describe, expect, test } from 'vitest'
import { cutStream } from './cut-body.ts'
import { dialects, providers } from './providers.ts'

// Recordings that are not part of the project: `TURNBUCKLE_RECORDINGS` is their folder (`npm run test:streams`).
const folder = process.env['TURNBUCKLE_RECORDINGS'] ?? ''
/** Cuts of one recording; a longer one is cut after every so many bytes. */
const most = 4000
const headers = { 'content-type': 'text/event-stream' }

type Make = (origin: string, fetch: typeof globalThis.fetch) => ProviderModel
const named = (name: string): Make => (providers.find(provider => provider.name === name) ?? providers[0])?.make as Make
const compatible = dialects[0]?.make as Make

/** Packages that read a provider's recordings. */
const makers: Readonly<Record<string, Make>> = {
  anthropic: named('Anthropic, v3'),
  google: named('Gemini, v3'),
  openai: named('OpenAI Responses, v3'),
  azure: named('OpenAI Responses, v3'),
  deepseek: compatible,
  groq: compatible,
  mistral: compatible,
  alibaba: compatible,
  xai: compatible,
  'openai-compatible': compatible,
}

const files = Object.keys(makers).flatMap(provider =>
  readdirSync(join(folder, provider))
    .filter(
      name => name.endsWith('.chunks.txt') && !/^(interactions|speech|responses\.xai|image|completion)/.test(name),
    )
    .map(name => ({ provider, name })),
)

function streamOf(provider: string, name: string): Uint8Array {
  const lines = readFileSync(join(folder, provider, name), 'utf8')
    .split('\n')
    .filter(Boolean)
  const event = (line: string) => {
    const type = provider === 'anthropic' ? (JSON.parse(line) as { type?: string }).type : undefined
    return `${type ? `event: ${type}\n` : ''}data: ${line}\n\n`
  }
  const end = provider === 'anthropic' || provider === 'google' ? '' : 'data: [DONE]\n\n'
  return new TextEncoder().encode(lines.map(event).join('') + end)
}

/** Names of tools in a recording, whatever its form. */
const toolNames = (bytes: Uint8Array): ReadonlySet<string> =>
  new Set([...new TextDecoder().decode(bytes).matchAll(/"name":\s*"([\w-]+)"/g)].map(([, name]) => name ?? ''))

describe.each(files)('$provider, $name', ({ provider, name }) => {
  test('a cut after any byte ends the turn, and runs no half call', async () => {
    const bytes = streamOf(provider, name)
    let ran: string[] = []
    let answer: () => Response = () => new Response()
    let asked = 0
    const model = aiSdk(
      (makers[provider] as Make)('http://127.0.0.1', async () =>
        asked++ ? new Response('', { status: 400 }) : answer(),
      ),
    )
    const tools = [...toolNames(bytes)].map(each =>
      tool({ name: each, run: args => void ran.push(`${each} ${JSON.stringify(args)}`) }),
    )
    const agent = createAgent({ model, tools, maxSteps: 1 })
    const play = async (at: number, ending: 'closed' | 'lost') => {
      ran = []
      asked = 0
      answer = () => new Response(cutStream(bytes, at, ending), { headers })
      const turn = agent.send('Go.')
      // A provider's own tool may ask a person.
      for await (const event of turn)
        if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'deny' })
      const { status } = await turn.settled
      return { status, ran }
    }
    const whole = (await play(bytes.length, 'closed')).ran
    const wrong: string[] = []
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / most)) {
      const cut = await play(at, at % 2 ? 'lost' : 'closed')
      if (cut.ran.some((call, i) => call !== whole[i])) wrong.push(`byte ${at}: ran ${cut.ran.join(', ')}`)
    }
    expect(wrong).toEqual([])
  }, 3_600_000)
})
