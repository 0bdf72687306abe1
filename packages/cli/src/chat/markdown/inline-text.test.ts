// biome-ignore-all lint/suspicious/noControlCharactersInRegex: sequences of the terminal
import { stripVTControlCharacters } from 'node:util'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { inlineText } from './inline-text.ts'

const inline = (text: string) =>
  inlineText(marked.lexer(text).flatMap(token => ('tokens' in token ? (token.tokens ?? []) : [])))
const plain = (text: string) => stripVTControlCharacters(inline(text))

test.each([
  { text: 'a *b* **c** ~~d~~ `e`', shown: 'a b c d e' },
  { text: 'one\ntwo', shown: 'one two' },
  { text: 'one  \ntwo', shown: 'one\ntwo' },
  { text: '&lt;b&gt; &amp; &#65;&#x42; &hellip;', shown: '<b> & AB &hellip;' },
  { text: '[docs](https://a.example/b)', shown: 'docs (https://a.example/b)' },
  { text: '<https://a.example>', shown: 'https://a.example' },
  { text: '<me@a.example>', shown: 'me@a.example' },
  { text: '![a cat](cat.png)', shown: '[image a cat] (cat.png)' },
])('$text is shown as $shown', ({ text, shown }) => {
  expect(plain(text)).toBe(shown)
})

test.each([
  '&#27;[2J',
  '&#x1b;[2J',
  '&#x9b;2J',
  '[&#27;[2J](https://a.example)',
  '![&#27;[2J](x.png)',
  '[a](&#27;[2J)',
  '`&#27;[2J`',
])('the entities of %s drive no terminal', text => {
  expect(plain(text)).not.toContain('\x1b')
  expect(inline(text).replaceAll(/\x1b(?:\]8;;[!-~]*\x1b\\|\[\d*m)/g, '')).not.toMatch(/[\x1b\x9b]/)
})

test('an address that is no web address is no link to click', () => {
  expect(inline('[a](https://a.example)')).toContain('\x1b]8;;https://a.example\x1b\\')
  expect(inline('[a](javascript:alert%281%29)')).not.toContain('\x1b]8;;')
})
