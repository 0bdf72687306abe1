import type { KeyPress } from './key-reader.ts'

/** Text being written, with a cursor. Never changed, only replaced. */
export interface Editor {
  readonly text: string
  /** Characters before the cursor. */
  readonly cursor: number
}

export const emptyEditor: Editor = { text: '', cursor: 0 }
export const editorWith = (text: string): Editor => ({ text, cursor: text.length })

const insert = ({ text, cursor }: Editor, added: string): Editor => ({
  text: text.slice(0, cursor) + added + text.slice(cursor),
  cursor: cursor + added.length,
})
const cut = ({ text }: Editor, from: number, to: number): Editor => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
})
const at = (editor: Editor, cursor: number): Editor => ({
  ...editor,
  cursor: Math.max(0, Math.min(editor.text.length, cursor)),
})

let segmenter: Intl.Segmenter | undefined
/** UTF-16 units to look at for one visible character: none is longer. */
const longest = 40

/**
 * Characters as one sees them: an emoji of several people is one. Made when it is needed first, as that takes its
 * time.
 */
function charactersOf(text: string): readonly string[] {
  if (!text) return []
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
export const firstCharacter = (text: string): string => charactersOf(text.slice(0, longest))[0] ?? ''
const lastCharacter = (text: string): string => charactersOf(text.slice(-longest)).at(-1) ?? ''
const before = (text: string, cursor: number): number => cursor - lastCharacter(text.slice(0, cursor)).length
const after = (text: string, cursor: number): number => cursor + firstCharacter(text.slice(cursor)).length

const lineStart = ({ text, cursor }: Editor): number => text.lastIndexOf('\n', cursor - 1) + 1
function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}
const wordStart = ({ text, cursor }: Editor): number => text.slice(0, cursor).search(/\S+\s*$/) >>> 0
const wordEnd = ({ text, cursor }: Editor): number => cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)

const moves: Partial<Record<KeyPress['name'], (editor: Editor) => Editor>> = {
  newline: editor => insert(editor, '\n'),
  backspace: editor => cut(editor, before(editor.text, editor.cursor), editor.cursor),
  delete: editor => cut(editor, editor.cursor, after(editor.text, editor.cursor)),
  left: editor => at(editor, before(editor.text, editor.cursor)),
  right: editor => at(editor, after(editor.text, editor.cursor)),
  home: editor => at(editor, lineStart(editor)),
  end: editor => at(editor, lineEnd(editor)),
  'word-left': editor => at(editor, Math.min(wordStart(editor), editor.cursor)),
  'word-right': editor => at(editor, wordEnd(editor)),
  up: editor => vertical(editor, -1),
  down: editor => vertical(editor, 1),
}

const controls: Readonly<Record<string, (editor: Editor) => Editor>> = {
  a: editor => at(editor, lineStart(editor)),
  e: editor => at(editor, lineEnd(editor)),
  u: editor => cut(editor, lineStart(editor), editor.cursor),
  k: editor => ({ ...cut(editor, editor.cursor, lineEnd(editor)), cursor: editor.cursor }),
  w: editor => cut(editor, Math.min(wordStart(editor), editor.cursor), editor.cursor),
}

/** The text after a key press. Contract: the same object when the key means nothing here. */
export function applyKey(editor: Editor, { name, text }: KeyPress): Editor {
  if (name === 'text' || name === 'paste') return insert(editor, text)
  if (name === 'ctrl') return controls[text]?.(editor) ?? editor
  return moves[name]?.(editor) ?? editor
}

/** To the line above or below; the same editor where there is none. */
function vertical(editor: Editor, by: 1 | -1): Editor {
  const start = lineStart(editor)
  const column = editor.cursor - start
  const next = by < 0 ? start - 1 : lineEnd(editor) + 1
  if (next < 0 || next > editor.text.length) return editor
  const there = { ...editor, cursor: next }
  return at(editor, Math.min(lineStart(there) + column, lineEnd(there)))
}
