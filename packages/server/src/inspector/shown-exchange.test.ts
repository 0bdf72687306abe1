import { expect, test } from 'vitest'
import { shortExchange, wholeExchange } from './shown-exchange.ts'

test('a request is shown without headers and keys; long texts and bytes are cut', () => {
  const sent = {
    prompt: [{ role: 'user', content: `a${'b'.repeat(5000)}c` }],
    headers: { authorization: 'Bearer secret' },
    providerOptions: { openai: { apiKey: 'secret' } },
    data: new Uint8Array(3),
  }
  const { sent: shown, received, model, error } = wholeExchange({ model: 'm', sent, received: 'Hi.', error: 'down' })
  expect(shown).not.toContain('secret')
  expect(shown).toContain(`"a${'b'.repeat(1999)}`)
  expect(shown).toContain('… 1002 characters more …')
  expect(shown).toContain('c"')
  expect(shown).toContain('(3 bytes)')
  expect([received, model, error]).toEqual(['"Hi."', 'm', 'down'])
})

test('a request that JSON cannot say is named, and a huge one is cut', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  expect(wholeExchange({ model: 'm', sent: ring, received: undefined }).sent).toBe('[object Object]')
  const many = Array.from({ length: 10_000 }, () => 'twenty characters ok')
  expect(wholeExchange({ model: 'm', sent: many, received: 1 }).sent.length).toBeLessThan(64_100)
})

test('the short form has the last messages and the names of the tools, and is as long in a long conversation', () => {
  const tools = [{ type: 'function', name: 'read_file', inputSchema: { description: 'x'.repeat(900) } }]
  const prompt = (count: number) => Array.from({ length: count }, (_, i) => ({ role: 'user', content: `number ${i}` }))
  const short = (count: number) =>
    shortExchange({ model: 'm', sent: { prompt: prompt(count), tools, headers: { a: 1 } }, received: 'Hi.' })
  expect(short(5000).isShort).toBe(true)
  const shown: unknown = JSON.parse(short(5000).sent)
  expect(shown).toEqual({
    prompt: ['… 4997 earlier messages …', ...prompt(5000).slice(-3)],
    tools: ['read_file'],
  })
  expect(short(5000).sent.length - short(10).sent.length).toBeLessThan(20)
})
