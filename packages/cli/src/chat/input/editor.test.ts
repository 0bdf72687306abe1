import { expect, test } from 'vitest'
import { applyKey, type Editor, editorWith } from './editor.ts'
import type { KeyPress } from './key-reader.ts'

const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`
const pressed = (editor: Editor, ...names: KeyPress['name'][]): string =>
  shown(names.reduce((now, name) => applyKey(now, { name, text: '' }), editor))

test.each([
  { what: 'a letter', text: 'ab', left: 'a|b', gone: 'a|' },
  { what: 'a letter with its accent', text: 'ae\u0301', left: 'a|e\u0301', gone: 'a|' },
  { what: 'a wide letter', text: '麺包', left: '麺|包', gone: '麺|' },
  { what: 'a family', text: 'a👨‍👩‍👧', left: 'a|👨‍👩‍👧', gone: 'a|' },
  { what: 'a flag', text: '🇩🇰🇳🇴', left: '🇩🇰|🇳🇴', gone: '🇩🇰|' },
])('$what is one character to walk over and to take away', ({ text, left, gone }) => {
  expect(pressed(editorWith(text), 'left')).toBe(left)
  expect(pressed(editorWith(text), 'backspace')).toBe(gone)
  expect(pressed(editorWith(text), 'left', 'right')).toBe(`${text}|`)
  expect(pressed(editorWith(text), 'left', 'delete')).toBe(gone)
})
