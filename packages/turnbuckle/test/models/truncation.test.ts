import { readFileSync } from 'node:fs'
import { createAgent, type TurnResult, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { describe, expect, test } from 'vitest'
import { cutStream } from './cut-body.ts'
import { providers } from './providers.ts'

/** Made with aimock: `text` is a thought and a sentence; `calls` is text and two calls. */
const recording = (protocol: string, kind: 'text' | 'calls'): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./recordings/${protocol}-${kind}.txt`, import.meta.url)))

const said = 'Sunny in both, naïve as it sounds ☀️.'
const headers = { 'content-type': 'text/event-stream' }

interface Cut {
  readonly ran: readonly unknown[]
  readonly result: TurnResult
}

/** An agent whose turns get a first answer that is cut and a second one that is whole. */
function cutting({ protocol, make }: (typeof providers)[number]) {
  let ran: unknown[] = []
  let first: (() => ReadableStream<Uint8Array>) | undefined
  const text = recording(protocol, 'text') as Uint8Array<ArrayBuffer>
  const provider = make('http://127.0.0.1', async () => {
    const body = first?.() ?? text
    first = undefined
    return new Response(body, { headers })
  })
  const weather = tool({ name: 'weather', run: args => ran.push(args) })
  const agent = createAgent({ model: aiSdk(provider), tools: [weather] })
  return async (answer: () => ReadableStream<Uint8Array>): Promise<Cut> => {
    ran = []
    first = answer
    const result = await agent.send('Weather?').settled
    return { ran, result }
  }
}

const whole = [{ city: 'Oslo' }, { city: 'Rome' }]

/**
 * Every byte with one spec and the ending that looks like a whole reply. The other packages read the same bytes in their own
 * way, and a lost connection is told by itself: there every fifth byte.
 */
const everyByte: Cutting = { ending: 'closed', step: 1 }
const everyFifth: Cutting = { ending: 'closed', step: 5 }
const lostEveryFifth: Cutting = { ending: 'lost', step: 5 }

interface Cutting {
  readonly ending: 'closed' | 'lost'
  readonly step: number
}

describe.each(providers)('$name', provider => {
  const cuts: readonly Cutting[] = provider.name.endsWith('v3')
    ? [everyByte, lostEveryFifth]
    : [everyFifth, lostEveryFifth]
  const turn = cutting(provider)

  test.each(cuts)(
    'a reply that is cut after any byte (step $step), the connection $ending, is no whole reply',
    async ({ ending, step }) => {
      const bytes = recording(provider.protocol, 'text')
      let failures = 0
      for (let at = 0; at < bytes.length; at += step) {
        const { result } = await turn(() => cutStream(bytes, at, ending))
        if (result.status !== 'failed') expect(result).toMatchObject({ status: 'completed', text: said })
        else {
          failures++
          expect(result.error).toMatchObject({ retryable: true })
        }
      }
      expect(failures * step).toBeGreaterThan(bytes.length / 2)
    },
    120_000,
  )

  test.each(cuts)(
    'a call that is cut after any byte (step $step), the connection $ending, does not run by halves',
    async ({ ending, step }) => {
      const bytes = recording(provider.protocol, 'calls')
      let failures = 0
      for (let at = 0; at < bytes.length; at += step) {
        const { ran, result } = await turn(() => cutStream(bytes, at, ending))
        expect(ran).toEqual(whole.slice(0, ran.length))
        if (result.status === 'failed') failures++
        else {
          expect(ran.length).toBeGreaterThan(0)
          expect(result).toMatchObject({ status: 'completed', text: said })
        }
      }
      expect(failures * step).toBeGreaterThan(bytes.length / 3)
    },
    120_000,
  )
})
