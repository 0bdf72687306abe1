import { expect, test } from 'vitest'
import type { KeyPress } from '../input/key-press.ts'
import { type Editor, editorWith } from './editor.ts'
import { applyKey } from './editor-keys.ts'

const escapeKey: KeyPress = { name: 'escape', text: '' }

/** Keys in normal mode, `␛` for Esc, `⏎` for a new line; `a|b`: the cursor is on the b. */
function press(from: string, keys: string): string {
  const start: Editor = {
    ...editorWith(from.replace('|', '')),
    cursor: from.indexOf('|'),
    vim: { mode: 'normal', waits: '' },
  }
  const { text, cursor, vim } = [...keys].reduce(
    (now, key) => applyKey(now, key === '␛' ? escapeKey : { name: 'text', text: key }),
    start,
  )
  return `${text.slice(0, cursor)}|${text.slice(cursor)} ${vim?.mode}`
}

test.each([
  { from: 'on|e', keys: 'h', to: 'o|ne normal' },
  { from: 'o|ne', keys: 'l', to: 'on|e normal' },
  { from: '|one.two three', keys: 'w', to: 'one|.two three normal' },
  { from: '|one two', keys: 'e', to: 'on|e two normal' },
  { from: 'one t|wo', keys: 'b', to: 'one |two normal' },
  { from: '  one| two', keys: '0', to: '|  one two normal' },
  { from: '  one| two', keys: '^', to: '  |one two normal' },
  { from: '|one two', keys: '$', to: 'one tw|o normal' },
  { from: '|one two', keys: '$x', to: 'one t|w normal' },
  { from: '|one two', keys: '$ax', to: 'one twox| insert' },
  { from: 'one |two', keys: 'dwx', to: 'on|e normal' },
  { from: '|one', keys: 'd$', to: '| normal' },
  { from: 'o|ne\ntwo', keys: 'j', to: 'one\nt|wo normal' },
  { from: 'one\nt|wo', keys: 'k', to: 'o|ne\ntwo normal' },
  { from: 'one\nt|wo', keys: 'gg', to: '|one\ntwo normal' },
  { from: '|one\ntwo', keys: 'G', to: 'one\ntw|o normal' },
  { from: '|one two', keys: 'fw', to: 'one t|wo normal' },
  { from: '|one two', keys: 'tw', to: 'one |two normal' },
  { from: 'o|ne', keys: 'ix', to: 'ox|ne insert' },
  { from: 'o|ne', keys: 'ax', to: 'onx|e insert' },
  { from: 'o|ne', keys: 'Ix', to: 'x|one insert' },
  { from: 'o|ne', keys: 'Ax', to: 'onex| insert' },
  { from: 'o|ne', keys: 'ox', to: 'one\nx| insert' },
  { from: 'o|ne', keys: 'Ox', to: 'x|\none insert' },
  { from: 'o|ne', keys: 'x', to: 'o|e normal' },
  { from: 'o|ne two', keys: 'dw', to: 'o|two normal' },
  { from: '|one two', keys: 'de', to: '| two normal' },
  { from: '|one two', keys: 'dtw', to: '|wo normal' },
  { from: '|one two', keys: 'dfw', to: '|o normal' },
  { from: 'one\nt|wo\nthree', keys: 'dd', to: 'one\n|three normal' },
  { from: 'o|ne two', keys: 'D', to: '|o normal' },
  { from: '|one two', keys: 'cwnew', to: 'new| two insert' },
  { from: 'o|ne\ntwo', keys: 'ccx', to: 'x|\ntwo insert' },
  { from: '|one two', keys: 'ywP', to: 'one |one two normal' },
  { from: '|one two', keys: 'dwu', to: '|one two normal' },
  { from: '|one', keys: 'rx', to: '|xne normal' },
  { from: '|one', keys: '~', to: 'O|ne normal' },
  { from: 'o|ne', keys: 'i␛', to: '|one normal' },
  { from: 'o|ne', keys: 'd␛x', to: 'o|e normal' },
  { from: 'o|ne', keys: 'dzx', to: 'o|e normal' },
])('$keys on $from gives $to', ({ from, keys, to }) => expect(press(from, keys)).toBe(to))

test('Esc in normal mode leaves the same editor, so that it can mean something else', () => {
  const editor: Editor = { ...editorWith('x'), vim: { mode: 'normal', waits: '' } }
  expect(applyKey(editor, escapeKey)).toBe(editor)
})

test('letters in one chunk are commands one by one; Esc and a letter in one chunk too', () => {
  const editor: Editor = { ...editorWith('one two'), cursor: 0, vim: { mode: 'normal', waits: '' } }
  expect(applyKey(editor, { name: 'text', text: 'wcwthree' }).text).toBe('one three')
  const inserting: Editor = { ...editor, cursor: 7, vim: { mode: 'insert' } }
  expect(applyKey(inserting, { name: 'alt', text: 'b' })).toMatchObject({ cursor: 4, vim: { mode: 'normal' } })
})
