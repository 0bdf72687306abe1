import * as marked from 'marked'
import { expect, test } from 'vitest'
import { quickLexer } from './quick-lexer.ts'

const lex = quickLexer(marked)

/** Lines of every kind of block, and some that only look like one. */
const lines = [
  '',
  '   ',
  'A plain line with **weight**, `code` and a [link](https://a.example).',
  'Über 日本語',
  'word | other',
  '--- | ---',
  '|a|b|',
  '|-|:-:|',
  ':-- | --:',
  '# Heading',
  'Setext',
  '===',
  '---',
  '- item',
  '  - nested',
  '- [ ] task',
  '1. first',
  '2) second',
  '* star',
  '> quote',
  '   > indented quote',
  '>lazy',
  '```js',
  'const a = 1 < 2',
  '```',
  '    indented code',
  '<b>bold</b> text',
  '<div>',
  '</div>',
  '<!-- comment -->',
  '[ref]: https://a.example',
  '***',
  '_under_',
  'two spaces at the end  ',
  '\ttab',
  'Tom <tom@a.example> says',
]

/** A number from 0 up to `below`, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

test.each(lines)('%j alone, between lines and at the end gives the tokens of marked', line => {
  for (const text of [line, `${line}\n`, `Before\n${line}\nAfter`, `Before\n\n${line}\n\nAfter\n`])
    expect(lex(text)).toEqual(marked.Lexer.lex(text))
})

test('texts of any lines give the tokens of marked', () => {
  const next = numbers(7)
  for (let i = 0; i < 1500; i++) {
    const text = Array.from({ length: 1 + next(9) }, () => lines[next(lines.length)] ?? '').join('\n')
    expect(lex(text), JSON.stringify(text)).toEqual(marked.Lexer.lex(text))
  }
})
