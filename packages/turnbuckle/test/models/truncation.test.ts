import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, providers } from './providers.ts'
import { cutting, recording, truncations } from './truncations.ts'

// Responses has the longest recordings, and a file of its own: files run side by side.
// Samples; `npm run test:streams` cuts after every byte.
const isFull = process.env['TURNBUCKLE_STREAMS'] === 'full'
truncations(
  providers.filter(({ protocol }) => protocol !== 'responses'),
  isFull ? 1 : 3,
)
truncations(dialects, isFull ? 1 : 7)

describe('over a real connection', () => {
  let server: Server
  let answer: { readonly bytes: Uint8Array; readonly lost: boolean }
  beforeAll(
    () =>
      new Promise<void>(resolve => {
        server = createServer((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(answer.bytes, () => (answer.lost ? response.destroy() : response.end()))
        }).listen(0, '127.0.0.1', resolve)
      }),
  )
  afterAll(() => void server.close())

  test.each(providers)('$name', async provider => {
    const turn = cutting(provider)
    const { port } = server.address() as AddressInfo
    const bytes = recording(provider.protocol, 'calls')
    const outcomes = []
    for (let at = 1; at < bytes.length; at += Math.ceil(bytes.length / 16)) {
      answer = { bytes: bytes.slice(0, at), lost: at % 2 === 1 }
      outcomes.push(await turn(() => fetch(`http://127.0.0.1:${port}/`)))
    }
    expect(outcomes.filter(outcome => outcome.startsWith('wrong') || outcome === 'completed after 0')).toEqual([])
    expect(outcomes).toContain('failed')
  })
})
