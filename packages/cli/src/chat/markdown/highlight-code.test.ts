// biome-ignore-all lint/suspicious/noControlCharactersInRegex: colours
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { highlightCode } from './highlight-code.ts'

beforeEach(() => vi.stubEnv('FORCE_COLOR', '1'))
afterEach(() => vi.unstubAllEnvs())

const names: Readonly<Record<string, string>> = { '2': 'quiet', '31': 'red', '32': 'string', '33': 'number' }
Object.assign(names, { '35': 'keyword', '36': 'name' })
/** Coloured parts, each with the role of its colour. */
const parts = (code: string, language: string) =>
  Array.from(
    highlightCode(code, language)
      .join('\n')
      .matchAll(/\x1b\[(\d+)m([^\x1b]*)/g),
    ([, code = '', text]) => [names[code], text],
  ).filter(([role]) => role)

test.each([
  {
    language: 'ts',
    code: 'const a = "b" // 1',
    is: [
      ['keyword', 'const'],
      ['name', 'a'],
      ['string', '"b"'],
      ['quiet', '// 1'],
    ],
  },
  {
    language: 'python',
    code: 'def f(x): return 0x1f # no',
    is: [
      ['keyword', 'def'],
      ['name', 'f'],
      ['keyword', 'return'],
      ['number', '0x1f'],
      ['quiet', '# no'],
    ],
  },
  {
    language: 'json',
    code: '{"a": true}',
    is: [
      ['string', '"a"'],
      ['keyword', 'true'],
    ],
  },
  {
    language: 'SQL',
    code: 'SELECT 1',
    is: [
      ['keyword', 'SELECT'],
      ['number', '1'],
    ],
  },
  {
    language: 'diff',
    code: '+a\n-b\n c',
    is: [
      ['string', '+a'],
      ['red', '-b'],
    ],
  },
])('$language has its colours', ({ language, code, is }) => {
  expect(parts(code, language)).toEqual(is)
})

test('a colour ends with its line, also in a comment of several lines', () => {
  expect(highlightCode('/* a\nb */', 'js')).toEqual(['\x1b[2m/* a\x1b[22m', '\x1b[2mb */\x1b[22m'])
})

test('an open string, as a reply that grows has it, ends with the line', () => {
  expect(parts("a = 'b\nc", 'js')).toEqual([
    ['name', 'a'],
    ['string', "'b"],
  ])
})
