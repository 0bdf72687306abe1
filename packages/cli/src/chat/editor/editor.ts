import { firstCharacter, lastCharacter } from './characters.ts'
import type { VimState } from './vim-state.ts'

/** A text and the place in it. */
export interface TextCursor {
  readonly text: string
  readonly cursor: number
}

/** Text being written, with a cursor. Never changed, only replaced: a key press gives the next state. */
export interface Editor extends TextCursor {
  /** Long pastes by the mark that stands for them in the text: `[pasted 500 lines]`. */
  readonly folded: ReadonlyMap<string, string>
  /** States to go back to with undo, the latest last. */
  readonly past: readonly TextCursor[]
  /** Texts that were cut, the latest last, for yank. */
  readonly kills: readonly string[]
  /**
   * The doing of the last key: letters are undone together, cuts that follow each other are one, and a yank can be
   * exchanged for an older one only right after it.
   */
  readonly last: 'typing' | 'kill' | { readonly yanked: number; readonly from: number } | 'other'
  /** Undefined where vim keys are off. */
  readonly vim: VimState | undefined
}

const mostUndo = 200
const mostKills = 30

export const emptyEditor: Editor = {
  text: '',
  cursor: 0,
  folded: new Map(),
  past: [],
  kills: [],
  last: 'other',
  vim: undefined,
}
export const editorWith = (text: string): Editor => ({ ...emptyEditor, text, cursor: text.length })

/** Another text in the same editor: the cuts stay for yank, the vim keys stay on. */
export const refilled = (editor: Editor, text = ''): Editor => ({
  ...editorWith(text),
  kills: editor.kills,
  vim: editor.vim && { mode: 'insert' },
})

/** Replaces text by another one as a whole, so that undo brings the old one back. */
export const replaceText = (editor: Editor, text: string, cursor: number = text.length): Editor =>
  change(editor, { text, cursor })

/** The next state after a change of the text. Letters that follow each other are one step of undo. */
export function change(editor: Editor, to: TextCursor, last: Editor['last'] = 'other'): Editor {
  if (to.text === editor.text) return to.cursor === editor.cursor ? editor : moveTo(editor, to.cursor)
  const joins = last === 'typing' && editor.last === 'typing'
  const past = joins ? editor.past : [...editor.past, { text: editor.text, cursor: editor.cursor }].slice(-mostUndo)
  return { ...editor, ...to, past, last }
}

/** Contract: the same object when the cursor is there already. */
export function moveTo(editor: Editor, wanted: number): Editor {
  const cursor = Math.max(0, Math.min(editor.text.length, wanted))
  return cursor === editor.cursor ? editor : { ...editor, cursor, last: 'other' }
}

export function insert(editor: Editor, added: string, last: Editor['last'] = 'other'): Editor {
  const { text, cursor } = editor
  return change(
    editor,
    { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length },
    last,
  )
}

/** Typed letters. A word begins a new step of undo. */
export const typeText = (editor: Editor, added: string): Editor =>
  insert(/^\s/.test(added) ? { ...editor, last: 'other' } : editor, added, 'typing')

export const erase = (editor: Editor, from: number, to: number): Editor =>
  change(editor, { text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from })

/** Takes text away and keeps it for yank. Cuts that follow each other become one. */
export function kill(editor: Editor, from: number, to: number): Editor {
  const cut = editor.text.slice(from, to)
  if (!cut) return editor
  const before = editor.last === 'kill' ? (editor.kills.at(-1) ?? '') : undefined
  const joined = before === undefined ? cut : from < editor.cursor ? cut + before : before + cut
  const older = before === undefined ? editor.kills : editor.kills.slice(0, -1)
  const left = change(editor, { text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from })
  return { ...left, kills: [...older, joined].slice(-mostKills), last: 'kill' }
}

export function yank(editor: Editor): Editor {
  const cut = editor.kills.at(-1)
  if (cut === undefined) return editor
  return { ...insert(editor, cut), last: { yanked: 1, from: editor.cursor } }
}

/** Exchanges what was just yanked for the cut before it. */
export function yankOlder(editor: Editor): Editor {
  const { last, kills, text, cursor } = editor
  if (typeof last !== 'object' || !kills.length) return editor
  const older = kills.at(-1 - (last.yanked % kills.length)) ?? ''
  const changed = change(editor, {
    text: text.slice(0, last.from) + older + text.slice(cursor),
    cursor: last.from + older.length,
  })
  return { ...changed, last: { yanked: last.yanked + 1, from: last.from } }
}

export function undo(editor: Editor): Editor {
  const before = editor.past.at(-1)
  return before ? { ...editor, ...before, past: editor.past.slice(0, -1), last: 'other' } : editor
}

const foldedMark = /\[pasted \d+ lines?(?: #\d+)?\]$/

/** The place of the character before the cursor; the mark of a folded paste is one. */
export function previous({ text, cursor, folded }: Editor): number {
  const before = text.slice(0, cursor)
  const mark = foldedMark.exec(before)?.[0]
  return cursor - (mark && folded.has(mark) ? mark : lastCharacter(before)).length
}
export const next = ({ text, cursor }: Editor): number => cursor + firstCharacter(text.slice(cursor)).length

export const lineStart = ({ text, cursor }: TextCursor): number => text.lastIndexOf('\n', cursor - 1) + 1
export function lineEnd({ text, cursor }: TextCursor): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** To the line above or below; the same editor where there is none. */
export function vertical(editor: Editor, by: 1 | -1): Editor {
  const start = lineStart(editor)
  const column = editor.cursor - start
  const to = by < 0 ? start - 1 : lineEnd(editor) + 1
  if (to < 0 || to > editor.text.length) return editor
  const there = { ...editor, cursor: to }
  return moveTo(editor, Math.min(lineStart(there) + column, lineEnd(there)))
}
