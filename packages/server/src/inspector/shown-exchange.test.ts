import { expect, test } from 'vitest'
import { shownExchange } from './shown-exchange.ts'

test('a request is shown without headers and keys; long texts and bytes are cut', () => {
  const sent = {
    prompt: [{ role: 'user', content: `a${'b'.repeat(5000)}c` }],
    headers: { authorization: 'Bearer secret' },
    providerOptions: { openai: { apiKey: 'secret' } },
    data: new Uint8Array(3),
  }
  const {
    sent: shown,
    received,
    model,
    error,
  } = shownExchange({ model: 'm', sent, received: 'Hi.', error: 'down' }, 64_000)
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
  expect(shownExchange({ model: 'm', sent: ring, received: undefined }, 1000).sent).toBe('[object Object]')
  const many = Array.from({ length: 10_000 }, () => 'twenty characters ok')
  expect(shownExchange({ model: 'm', sent: many, received: 1 }, 64_000).sent.length).toBeLessThan(64_100)
})
