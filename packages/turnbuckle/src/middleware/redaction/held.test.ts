import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Detector, findAll } from './detect.ts'
import { decide, nothingHeld } from './held.ts'
import { exactly, keys } from './keys.ts'
import { personal } from './personal.ts'
import { render, styleOf } from './style.ts'

const style = styleOf('redact')
const whole = (text: string, detectors: readonly Detector[]) => render(text, findAll(text, detectors), style)

function streamed(pieces: readonly string[], detectors: readonly Detector[]): string {
  let held = nothingHeld
  let shown = ''
  for (const [i, piece] of [...pieces, ''].entries()) {
    const decided = decide(held, piece, detectors, i === pieces.length)
    shown += render(decided.text, decided.found, style)
    held = decided.held
  }
  return shown
}

const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map(place => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...at, text.length].map((end, i) => text.slice(at[i - 1] ?? 0, end))
}

const words = [
  ...['joe@example.com', 'a.b+c@mail.example.co.uk', '@', 'joe@', '4111 1111 1111 1111', '4111111111111111', '1234 '],
  ...['378282246310005', '123-45-6789', '123-45-', '+49 30 123456', '(415) 555-2671', '415-555-2671', '192.168.0.1'],
  ...[
    '1.2.3.4.5',
    'fe80::1',
    '::1',
    'std::vector',
    '12:30:45',
    '2024-01-15',
    ' ',
    ' ',
    '. ',
    ', ',
    'word',
    '😀',
    '-',
    '7',
  ],
]
const tokens = [
  ...['AKIAIOSFODNN7EXAMPLE', `ghp_${'a1'.repeat(18)}`, `sk-${'x'.repeat(24)}`, 'sk-', 'postgres://me:pw@host/db'],
  ...['https://example.com/a', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '-----BEGIN '],
  ...['-----END ', 'CERTIFICATE-----', 'hunter22', 'hunter', ' ', '\n', 'word', '.', ':', '/', '@', '😀'],
]

test.each([
  { name: 'personal data', detectors: Object.values(personal).flat(), parts: words },
  { name: 'secrets', detectors: [...keys, exactly('hunter22')], parts: tokens },
])('however a text is cut into deltas, the same is redacted as in the whole: $name', ({ detectors, parts }) => {
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map(list => list.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (given, places) => {
      expect(streamed(cut(given, places), detectors)).toBe(whole(given, detectors))
    }),
    { numRuns: 2000 },
  )
})

test('text that cannot be the beginning of anything is not held', () => {
  const { text, held } = decide(nothingHeld, 'Hello, world! ', personal.email, false)
  expect({ text, held: held.text }).toEqual({ text: 'Hello, world! ', held: '' })
})

test('a run without an end is let through once it is longer than a find can be', () => {
  const { text, held } = decide(nothingHeld, 'x'.repeat(5000), personal.email, false)
  expect(text.length + held.text.length).toBe(5000)
  expect(held.text.length).toBeLessThan(700)
})
