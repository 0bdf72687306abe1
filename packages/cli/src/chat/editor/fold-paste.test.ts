import { expect, test } from 'vitest'
import { editorWith, emptyEditor } from './editor.ts'
import { applyKey } from './editor-keys.ts'
import { unfoldPastes } from './fold-paste.ts'

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, i) => `${word} ${i}`).join('\n')
const paste = (text: string) => ({ name: 'paste', text }) as const

test.each([
  { what: '500 lines', pasted: lines(500), shown: '[pasted 500 lines]' },
  { what: '500 lines with a last line end', pasted: `${lines(500)}\n`, shown: '[pasted 500 lines]' },
  { what: 'one very long line', pasted: 'x'.repeat(5000), shown: '[pasted 1 line]' },
  { what: 'three lines', pasted: 'a\nb\nc', shown: 'a\nb\nc' },
])('a paste of $what stands as $shown, and is sent in full', ({ pasted, shown }) => {
  const editor = applyKey(editorWith('look: '), paste(pasted))
  expect(editor.text).toBe(`look: ${shown}`)
  expect(unfoldPastes(editor)).toBe(`look: ${pasted}`)
})

test('two pastes of the same length stay apart; backspace takes a mark as a whole', () => {
  const editor = [paste(lines(20, 'a')), paste(lines(20, 'b'))].reduce(applyKey, emptyEditor)
  expect(editor.text).toBe('[pasted 20 lines][pasted 20 lines #2]')
  expect(unfoldPastes(editor)).toBe(lines(20, 'a') + lines(20, 'b'))
  expect(applyKey(editor, { name: 'backspace', text: '' }).text).toBe('[pasted 20 lines]')
})

test('a mark that was typed is only text', () => {
  const editor = editorWith('[pasted 20 lines]')
  expect(unfoldPastes(editor)).toBe('[pasted 20 lines]')
  expect(applyKey(editor, { name: 'backspace', text: '' }).text).toBe('[pasted 20 lines')
})
