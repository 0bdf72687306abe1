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

/** Runs a turn whose first answer is what `first` makes of it, and whose second is whole. */
async function turnWith(
  { protocol, make }: (typeof providers)[number],
  first: () => ReadableStream<Uint8Array>,
): Promise<Cut> {
  const ran: unknown[] = []
  let requests = 0
  const provider = make('http://127.0.0.1', async () =>
    requests++ === 0
      ? new Response(first(), { headers })
      : new Response(recording(protocol, 'text') as Uint8Array<ArrayBuffer>, { headers }),
  )
  const weather = tool({ name: 'weather', run: args => ran.push(args) })
  const result = await createAgent({ model: aiSdk(provider), tools: [weather] }).send('Weather?').settled
  return { ran, result }
}

const whole = [{ city: 'Oslo' }, { city: 'Rome' }]

describe.each(providers)('$name', provider => {
  // All of it with one spec; with the others what matters most: their packages read the same bytes in their own way.
  const all = provider.name.endsWith('v3')
  const endings = all ? (['lost', 'closed'] as const) : (['closed'] as const)

  test.each(all ? endings : [])(
    'a reply that is cut after any byte, the connection %s, is no whole reply',
    async ending => {
      const bytes = recording(provider.protocol, 'text')
      const completed: string[] = []
      for (let at = 0; at < bytes.length; at++) {
        const { result } = await turnWith(provider, () => cutStream(bytes, at, ending))
        if (result.status === 'completed') completed.push(result.text)
        else expect(result).toMatchObject({ status: 'failed', error: { retryable: true } })
      }
      expect(completed.filter(text => text !== said)).toEqual([])
      expect(completed.length).toBeLessThan(bytes.length / 2)
    },
    60_000,
  )

  test.each(endings)(
    'a call that is cut after any byte, the connection %s, does not run by halves',
    async ending => {
      const bytes = recording(provider.protocol, 'calls')
      let failures = 0
      for (let at = 0; at < bytes.length; at++) {
        const { ran, result } = await turnWith(provider, () => cutStream(bytes, at, ending))
        expect(ran).toEqual(whole.slice(0, ran.length))
        if (result.status === 'failed') failures++
        else
          expect({ status: result.status, text: result.text, calls: ran.length > 0 }).toEqual({
            status: 'completed',
            text: said,
            calls: true,
          })
      }
      expect(failures).toBeGreaterThan(bytes.length / 3)
    },
    60_000,
  )
})
