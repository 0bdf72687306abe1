import { expect, test } from 'vitest'
import type { KeyPress } from '../input/key-press.ts'
import { KeyReader } from '../input/key-reader.ts'
import { type Editor, editorWith, emptyEditor } from './editor.ts'
import { applyKey } from './editor-keys.ts'

/** `a|b`: the cursor is behind the a. */
const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`
const written = (text: string): Editor => ({
  ...editorWith(text.replace('|', '')),
  cursor: text.includes('|') ? text.indexOf('|') : text.length,
})

/** What a terminal sends for keys, through the reader, into the editor. */
function typed(editor: Editor, sent: string): Editor {
  let now = editor
  const reader = new KeyReader(key => {
    now = applyKey(now, key)
  })
  reader.read(sent)
  reader.end()
  return now
}

const alt = (letter: string) => `\x1b${letter}`
const ctrl = (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64)

test.each<{ key: string; sent: string; from: string; to: string }>([
  { key: 'Ctrl-A', sent: ctrl('a'), from: 'one\ntwo|', to: 'one\n|two' },
  { key: 'Ctrl-E', sent: ctrl('e'), from: '|one\ntwo', to: 'one|\ntwo' },
  { key: 'Ctrl-B', sent: ctrl('b'), from: 'one|', to: 'on|e' },
  { key: 'Ctrl-F', sent: ctrl('f'), from: '|one', to: 'o|ne' },
  { key: 'Ctrl-D', sent: ctrl('d'), from: '|one', to: '|ne' },
  { key: 'Ctrl-H', sent: '\x08', from: 'one|', to: 'on|' },
  { key: 'Ctrl-K', sent: ctrl('k'), from: 'o|ne\ntwo', to: 'o|\ntwo' },
  { key: 'Ctrl-K at the end of a line', sent: ctrl('k'), from: 'one|\ntwo', to: 'one|two' },
  { key: 'Ctrl-U', sent: ctrl('u'), from: 'one\ntw|o', to: 'one\n|o' },
  { key: 'Ctrl-W', sent: ctrl('w'), from: 'cat src/a.ts|', to: 'cat |' },
  { key: 'Alt-Backspace', sent: alt('\x7f'), from: 'cat src/a.ts|', to: 'cat src/a.|' },
  { key: 'Alt-B', sent: alt('b'), from: 'cat src/a.ts|', to: 'cat src/a.|ts' },
  { key: 'Alt-F', sent: alt('f'), from: '|cat src/a.ts', to: 'cat| src/a.ts' },
  { key: 'Ctrl-←', sent: '\x1b[1;5D', from: 'one two|', to: 'one |two' },
  { key: 'Alt-→', sent: '\x1b[1;3C', from: '|one two', to: 'one| two' },
  { key: 'Alt-D', sent: alt('d'), from: 'one| two', to: 'one|' },
  { key: 'Alt-U', sent: alt('u'), from: '|one two', to: 'ONE| two' },
  { key: 'Alt-L', sent: alt('l'), from: '|ONE', to: 'one|' },
  { key: 'Alt-C', sent: alt('c'), from: '|one', to: 'One|' },
  { key: 'Alt-T', sent: alt('t'), from: 'one two|', to: 'two one|' },
  { key: 'Alt-<', sent: alt('<'), from: 'one\ntwo|', to: '|one\ntwo' },
  { key: 'Alt->', sent: alt('>'), from: '|one\ntwo', to: 'one\ntwo|' },
  { key: 'Home', sent: '\x1b[H', from: 'one|', to: '|one' },
  { key: 'End', sent: '\x1bOF', from: '|one', to: 'one|' },
  { key: 'Delete', sent: '\x1b[3~', from: 'o|ne', to: 'o|e' },
  { key: '↑', sent: '\x1b[A', from: 'one\ntwo|', to: 'one|\ntwo' },
  { key: 'Ctrl-J', sent: '\n', from: 'a|b', to: 'a\n|b' },
  { key: 'Shift-Enter (kitty)', sent: '\x1b[13;2u', from: 'a|b', to: 'a\n|b' },
  { key: 'Shift-Enter (xterm)', sent: '\x1b[27;2;13~', from: 'a|b', to: 'a\n|b' },
  { key: 'Ctrl-A (kitty)', sent: '\x1b[97;5u', from: 'one|', to: '|one' },
  { key: 'Alt-B (kitty)', sent: '\x1b[98;3u', from: 'one two|', to: 'one |two' },
  { key: 'Ctrl-Backspace (kitty)', sent: '\x1b[127;5u', from: 'one two|', to: 'one |' },
])('$key', ({ sent, from, to }) => expect(shown(typed(written(from), sent))).toBe(to))

test.each([
  { what: 'a cut', sent: `${ctrl('w')}${ctrl('y')}${ctrl('y')}`, from: 'one two|', to: 'one twotwo|' },
  {
    what: 'cuts that follow each other, as one',
    sent: `${ctrl('w')}${ctrl('w')}${ctrl('y')}`,
    from: 'one two|',
    to: 'one two|',
  },
  {
    what: 'cuts to both sides, in order',
    sent: `${ctrl('u')}${ctrl('k')}${ctrl('y')}`,
    from: 'one| two',
    to: 'one two|',
  },
  {
    what: 'an older cut with Alt-Y',
    sent: `${ctrl('w')}x${ctrl('w')}${ctrl('y')}${alt('y')}`,
    from: 'one two|',
    to: 'one two|',
  },
  { what: 'nothing with Alt-Y alone', sent: alt('y'), from: 'one|', to: 'one|' },
])('yank gives back $what', ({ sent, from, to }) => expect(shown(typed(written(from), sent))).toBe(to))

test.each([
  { what: 'a cut', sent: `${ctrl('u')}\x1f`, from: 'one two|', to: 'one two|' },
  { what: 'letters of one go together', sent: 'abc\x1f', from: 'x|', to: 'x|' },
  { what: 'words one by one', sent: 'abc def\x1f', from: '|', to: '|' },
  { what: 'two changes, the last first', sent: `${ctrl('w')}${ctrl('u')}\x1f\x1f`, from: 'one two|', to: 'one two|' },
  { what: 'a paste', sent: '\x1b[200~pasted\x1b[201~\x1f', from: 'x|', to: 'x|' },
  { what: 'nothing where nothing was done', sent: '\x1f', from: 'x|', to: 'x|' },
])('undo takes back $what', ({ sent, from, to }) => expect(shown(typed(written(from), sent))).toBe(to))

test('letters that are typed one by one are undone by the word', () => {
  const keys: KeyPress[] = [...'ab cd'].map(text => ({ name: 'text', text }))
  const now = keys.reduce(applyKey, emptyEditor)
  const undo: KeyPress = { name: 'ctrl', text: '_' }
  expect(shown(applyKey(now, undo))).toBe('ab|')
  expect(shown(applyKey(applyKey(now, undo), undo))).toBe('|')
})

test.each([
  { what: 'a letter', text: 'ab', left: 'a|b', gone: 'a|' },
  { what: 'a letter with its accent', text: 'ae\u0301', left: 'a|e\u0301', gone: 'a|' },
  { what: 'a wide letter', text: '麺包', left: '麺|包', gone: '麺|' },
  { what: 'a family', text: 'a👨‍👩‍👧', left: 'a|👨‍👩‍👧', gone: 'a|' },
  { what: 'a flag', text: '🇩🇰🇳🇴', left: '🇩🇰|🇳🇴', gone: '🇩🇰|' },
])('$what is one character to walk over and to take away', ({ text, left, gone }) => {
  expect(shown(typed(editorWith(text), '\x1b[D'))).toBe(left)
  expect(shown(typed(editorWith(text), '\x7f'))).toBe(gone)
  expect(shown(typed(editorWith(text), '\x1b[D\x1b[C'))).toBe(`${text}|`)
  expect(shown(typed(editorWith(text), '\x1b[D\x1b[3~'))).toBe(gone)
})

test('a key that means nothing leaves the same editor', () => {
  const editor = editorWith('x')
  expect(applyKey(editor, { name: 'page-up', text: '' })).toBe(editor)
  expect(applyKey(editor, { name: 'right', text: '' })).toBe(editor)
})
