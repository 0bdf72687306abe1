import { expect, test } from 'vitest'
import { highlightCode } from './highlight-code.ts'

test.each([
  { language: 'ts', text: 'const a = "b" // c', is: 'word:const string:"b" comment:// c' },
  { language: 'python', text: 'return 1 # done', is: 'word:return number:1 comment:# done' },
  { language: 'ts', text: "'never closed", is: "string:'never closed" },
  { language: 'ts', text: '/* never closed', is: 'comment:/* never closed' },
  { language: '', text: 'const', is: '' },
  { language: 'md', text: '"x"', is: '' },
])('$language: $text', ({ language, text, is }) => {
  const pieces = highlightCode(text, language)
  expect(pieces.map(piece => piece.text).join('')).toBe(text)
  expect(
    pieces
      .filter(({ kind }) => kind)
      .map(({ kind, text: part }) => `${kind}:${part}`)
      .join(' '),
  ).toBe(is)
})
