import { expect, test } from 'vitest'
import { findAll } from './detect.ts'
import { exactly, keys } from './keys.ts'

const kinds = (text: string) => findAll(text, keys).map(({ kind }) => kind)

test.each([
  { kind: 'aws-key', text: `AKIA${'A'.repeat(16)}` },
  { kind: 'github-token', text: `ghp_${'a'.repeat(36)}` },
  { kind: 'gitlab-token', text: `glpat-${'a'.repeat(20)}` },
  { kind: 'google-key', text: `AIza${'a'.repeat(35)}` },
  { kind: 'slack-token', text: `xoxb-${'1'.repeat(12)}` },
  { kind: 'stripe-key', text: `sk_live_${'a'.repeat(24)}` },
  { kind: 'api-key', text: `sk-${'a'.repeat(24)}` },
  { kind: 'jwt', text: `eyJ${'a'.repeat(10)}.eyJ${'b'.repeat(10)}.${'c'.repeat(10)}` },
  { kind: 'login', text: 'postgres://user:password@' },
  { kind: 'private-key', text: '-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----' },
])('a $kind is found', ({ kind, text }) => {
  expect(kinds(`it is ${text} here`)).toEqual([kind])
})

test.each(['sk-short', 'https://example.com/a:b', 'AKIA', '-----BEGIN CERTIFICATE-----'])('%s is no secret', text => {
  expect(kinds(text)).toEqual([])
})

test('a private key without a last line is one up to the end of the text', () => {
  const text = 'key: -----BEGIN PRIVATE KEY-----\nMII'
  expect(findAll(text, keys)).toEqual([{ kind: 'private-key', start: 5, end: text.length }])
})

test('an exact value is held back as soon as the text ends with its beginning', () => {
  const { find, hold } = exactly('hunter2')
  expect(hold('it is hun')).toBe(6)
  expect(hold('it is huh')).toBe(8)
  expect(find('hunter2 and hunter2', 0)).toHaveLength(2)
})
