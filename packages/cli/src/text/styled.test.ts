import { afterEach, expect, test, vi } from 'vitest'
import { hasColours, styled } from './styled.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  { env: {}, isTTY: true, is: true },
  { env: {}, isTTY: false, is: false },
  { env: { NO_COLOR: '1' }, isTTY: true, is: false },
  { env: { TERM: 'dumb' }, isTTY: true, is: false },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTTY: false, is: true },
  { env: { FORCE_COLOR: '0' }, isTTY: false, is: false },
])('with $env on a terminal ($isTTY) there are colours: $is', ({ env, isTTY, is }) => {
  for (const name of ['NO_COLOR', 'TERM', 'FORCE_COLOR']) vi.stubEnv(name, (env as Record<string, string>)[name])
  expect(hasColours({ isTTY })).toBe(is)
})

test('text is styled only where there are colours', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(styled('bold', 'a')).toBe('\u001b[1ma\u001b[22m')
  vi.stubEnv('FORCE_COLOR', '0')
  vi.stubEnv('NO_COLOR', '1')
  expect(styled('bold', 'a')).toBe('a')
})
