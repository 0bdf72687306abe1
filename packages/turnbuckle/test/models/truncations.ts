import { readFileSync } from 'node:fs'
import { createAgent, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { timeout } from 'turnbuckle/middleware'
import { virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { cutStream, type Ending } from './cut-body.ts'
import type { dialects } from './providers.ts'

type Provider = (typeof dialects)[number]

/** Made with aimock: `text` is a thought and a sentence; `calls` is text and two calls. */
export const recording = (protocol: string, kind: 'text' | 'calls'): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./recordings/${protocol}-${kind}.txt`, import.meta.url)))

const said = 'Sunny in both, naïve as it sounds ☀️.'
const whole = [{ city: 'Oslo' }, { city: 'Rome' }]
const headers = { 'content-type': 'text/event-stream' }

export type Outcome =
  /** The turn failed, with an error that a retry may put right. */
  | 'failed'
  /** All that there is: the whole sentence at the end, and before it this many whole calls. */
  | `completed after ${number}`
  /** Anything else: half a sentence as an answer, half a call that ran. */
  | `wrong: ${string}`

/** An agent whose turns get a first answer that is cut and a second one that is whole. */
export function cutting({ protocol, make }: Provider, options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  let ran: unknown[] = []
  let first: (() => Promise<Response> | Response) | undefined
  const text = recording(protocol, 'text') as Uint8Array<ArrayBuffer>
  const provider = make('http://127.0.0.1', async () => {
    const answer = first?.() ?? new Response(text, { headers })
    first = undefined
    return answer
  })
  const weather = tool({ name: 'weather', run: args => ran.push(args) })
  const agent = createAgent({ model: aiSdk(provider), tools: [weather], ...options })
  return async (answer: () => Promise<Response> | Response): Promise<Outcome> => {
    ran = []
    first = answer
    const { status, text: shown, error } = await agent.send('Weather?').settled
    if (JSON.stringify(ran) !== JSON.stringify(whole.slice(0, ran.length))) return `wrong: ran ${JSON.stringify(ran)}`
    if (status === 'completed' && shown === said) return `completed after ${ran.length}`
    const { retryable, kind } = (error ?? {}) as { retryable?: unknown; kind?: unknown }
    if (status === 'failed' && (retryable === true || kind === 'timeout')) return 'failed'
    return `wrong: ${status}, ${JSON.stringify(shown)}, ${String(error)}`
  }
}

/** What came of a cut after each byte, or after every `step` bytes, and what is not right about it. */
async function everyByte(provider: Provider, kind: 'text' | 'calls', ending: Ending, step: number) {
  const turn = cutting(provider)
  const bytes = recording(provider.protocol, kind)
  let failed = 0
  const wrong: string[] = []
  for (let at = 0; at < bytes.length; at += step) {
    const outcome = await turn(() => new Response(cutStream(bytes, at, ending), { headers }))
    if (outcome === 'failed') failed++
    // A call that is not there at all leaves half a sentence: that is no answer.
    else if (outcome.startsWith('wrong') || (kind === 'calls' && outcome === 'completed after 0'))
      wrong.push(`byte ${at}: ${outcome}`)
  }
  return { wrong, failed: (failed * step) / bytes.length }
}

const endings: readonly Ending[] = ['closed', 'lost']

/** Every byte of both recordings, ending as if that were all and as when the connection is lost; and standing still. */
export const truncations = (some: readonly Provider[], step = 1): void =>
  describe.each(some)('$name', provider => {
    test.each(endings)('a reply that is cut after any byte, the connection %s, is no whole reply', async ending => {
      const { wrong, failed } = await everyByte(provider, 'text', ending, step)
      expect(wrong).toEqual([])
      expect(failed).toBeGreaterThan(0.5)
    })

    test.each(endings)('a call that is cut after any byte, the connection %s, does not run by halves', async ending => {
      const { wrong, failed } = await everyByte(provider, 'calls', ending, step)
      expect(wrong).toEqual([])
      expect(failed).toBeGreaterThan(1 / 3)
    })

    test('one that stands still after any line is ended by a time-out', async () => {
      const clock = virtualClock()
      const turn = cutting(provider, { clock, use: [timeout({ idle: 1000 })] })
      const bytes = recording(provider.protocol, 'calls')
      const lines = [...bytes.keys()].filter(at => bytes[at] === 10)
      for (const at of [0, ...lines.slice(0, -4)]) {
        let outcome: Outcome | undefined
        void turn(() => new Response(cutStream(bytes, at, 'still'), { headers })).then(given => {
          outcome = given
        })
        for (let i = 0; i < 1000 && outcome === undefined; i++) {
          await new Promise(setImmediate)
          await clock.advance(100)
        }
        expect(outcome, `after byte ${at}`).toBe('failed')
      }
    })
  })
