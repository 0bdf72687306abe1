import { type KeyPress, keyName } from '../input/key-press.ts'
import {
  change,
  type Editor,
  insert,
  kill,
  lineEnd,
  lineStart,
  moveTo,
  next,
  previous,
  undo,
  vertical,
} from './editor.ts'
import { lastLetterOfWord, nextWordStart, vimWordStart } from './word-places.ts'

type Edit = (editor: Editor) => Editor
type Motion = (editor: Editor) => number

const firstLetter: Motion = editor =>
  lineStart(editor) + (/^[ \t]*/.exec(editor.text.slice(lineStart(editor)))?.[0].length ?? 0)

/** Places that a command moves to, or works up to. */
const motions: Readonly<Record<string, Motion>> = {
  h: editor => Math.max(lineStart(editor), previous(editor)),
  l: editor => Math.min(lineEnd(editor), next(editor)),
  w: nextWordStart,
  b: vimWordStart,
  e: lastLetterOfWord,
  '0': lineStart,
  '^': firstLetter,
  $: lineEnd,
  G: ({ text }) => text.length,
  gg: () => 0,
}
/** Motions whose last character belongs to what an operator takes. */
const inclusive = 'e'

const toInsert = (editor: Editor): Editor => ({ ...editor, vim: { mode: 'insert' } })
const toNormal = (editor: Editor): Editor => ({ ...editor, vim: { mode: 'normal', waits: '' } })

const wholeLine = (editor: Editor): readonly [number, number] => {
  const [from, to] = [lineStart(editor), lineEnd(editor)]
  return to < editor.text.length ? [from, to + 1] : [Math.max(0, from - 1), to]
}

const commands: Readonly<Record<string, Edit>> = {
  i: toInsert,
  a: editor => toInsert(moveTo(editor, Math.min(lineEnd(editor), next(editor)))),
  I: editor => toInsert(moveTo(editor, firstLetter(editor))),
  A: editor => toInsert(moveTo(editor, lineEnd(editor))),
  o: editor => toInsert(insert(moveTo(editor, lineEnd(editor)), '\n')),
  O: editor => {
    const start = lineStart(editor)
    return toInsert(moveTo(insert(moveTo(editor, start), '\n'), start))
  },
  x: editor => kill(editor, editor.cursor, Math.min(lineEnd(editor), next(editor))),
  X: editor => kill(editor, Math.max(lineStart(editor), previous(editor)), editor.cursor),
  D: editor => kill(editor, editor.cursor, lineEnd(editor)),
  C: editor => toInsert(kill(editor, editor.cursor, lineEnd(editor))),
  s: editor => toInsert(kill(editor, editor.cursor, Math.min(lineEnd(editor), next(editor)))),
  S: editor => toInsert(kill(editor, lineStart(editor), lineEnd(editor))),
  dd: editor => kill(editor, ...wholeLine(editor)),
  cc: editor => toInsert(kill(editor, lineStart(editor), lineEnd(editor))),
  yy: editor => copy(editor, lineStart(editor), lineEnd(editor)),
  p: editor => insert(moveTo(editor, Math.min(lineEnd(editor), next(editor))), editor.kills.at(-1) ?? ''),
  P: editor => insert(editor, editor.kills.at(-1) ?? ''),
  u: undo,
  '~': exchangeCase,
  j: editor => vertical(editor, 1),
  k: editor => vertical(editor, -1),
}

const operators = 'dcy'

const copy = (editor: Editor, from: number, to: number): Editor => ({
  ...editor,
  kills: [...editor.kills, editor.text.slice(from, to)],
  cursor: from,
  last: 'other',
})

function exchangeCase(editor: Editor): Editor {
  const { text, cursor } = editor
  const to = next(editor)
  const letter = text.slice(cursor, to)
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
  return change(editor, { text: text.slice(0, cursor) + other + text.slice(to), cursor: to })
}

const escapeKey: KeyPress = { name: 'escape', text: '' }

/** A key where vim keys are on. In insert mode, and for keys without a letter, `readline` is asked. */
export function applyVimKey(
  editor: Editor,
  key: KeyPress,
  readline: (editor: Editor, key: KeyPress) => Editor,
): Editor {
  const { vim } = editor
  // Esc and a letter that come in one chunk look like Alt and the letter.
  if (key.name === 'alt' && key.text.length === 1)
    return [escapeKey, { name: 'text', text: key.text } as const].reduce(
      (now, one) => applyVimKey(now, one, readline),
      editor,
    )
  if (vim?.mode !== 'normal') {
    if (key.name !== 'escape') return readline(editor, key)
    return toNormal(moveTo(editor, Math.max(lineStart(editor), previous(editor))))
  }
  if (key.name === 'escape') return vim.waits ? toNormal(editor) : editor
  if (key.name !== 'text') return keyName(key) === 'ctrl-r' ? editor : readline(editor, key)
  // A chunk of letters is a command each; a command may switch to insert mode in between.
  return [...key.text].reduce((now, letter) => pressLetter(now, letter, readline), editor)
}

function pressLetter(editor: Editor, letter: string, readline: (editor: Editor, key: KeyPress) => Editor): Editor {
  const { vim } = editor
  if (vim?.mode !== 'normal') return readline(editor, { name: 'text', text: letter })
  const keys = vim.waits + letter
  const done = obeyKeys(toNormal(editor), keys)
  if (done) return onLetter(done)
  const begins = /^[dcy]?[ftFTg]?$/.test(keys) || keys === 'r'
  return begins ? { ...editor, vim: { mode: 'normal', waits: keys } } : toNormal(editor)
}

/** As in vim, the cursor of normal mode stands on a letter, where the line has one: `$x` takes the last. */
function onLetter(editor: Editor): Editor {
  if (editor.vim?.mode !== 'normal' || editor.cursor < lineEnd(editor)) return editor
  return { ...editor, cursor: Math.max(lineStart(editor), previous(editor)) }
}

/** The editor after a whole command; nothing where the keys are only its beginning, or no command. */
function obeyKeys(editor: Editor, keys: string): Editor | undefined {
  const command = commands[keys]
  if (command) return command(editor)
  const [first = '', ...others] = keys
  if (first === 'r' && others.length) return replaceLetter(editor, others.join(''))
  const operator = operators.includes(first) ? first : ''
  const wanted = operator ? others.join('') : keys
  // As in vim, `cw` leaves the blanks behind the word.
  const moved = operator === 'c' && wanted === 'w' && /\S/.test(editor.text[editor.cursor] ?? '') ? 'e' : wanted
  const to = motions[moved]?.(editor) ?? findLetter(editor, moved)
  if (to === undefined) return undefined
  return operator
    ? operate(editor, operator, to + (inclusive.includes(moved) || /^[ft]/.test(moved) ? 1 : 0))
    : moveTo(editor, to)
}

function replaceLetter(editor: Editor, letter: string): Editor {
  const { text, cursor } = editor
  if (cursor >= lineEnd(editor)) return editor
  return change(editor, { text: text.slice(0, cursor) + letter + text.slice(next(editor)), cursor })
}

/** The place that `fx`, `tx`, `Fx` or `Tx` goes to. */
function findLetter(editor: Editor, keys: string): number | undefined {
  const [, kind, letter] = /^([ftFT])(.)$/su.exec(keys) ?? []
  if (letter === undefined) return undefined
  const forward = kind === 'f' || kind === 't'
  const { text, cursor } = editor
  const at = forward ? text.indexOf(letter, cursor + 1) : text.lastIndexOf(letter, cursor - 1)
  if (at < lineStart(editor) || at >= lineEnd(editor)) return cursor
  return at + (kind === 't' ? -1 : kind === 'T' ? 1 : 0)
}

function operate(editor: Editor, operator: string, place: number): Editor {
  const [from, to] = [Math.min(editor.cursor, place), Math.max(editor.cursor, place)]
  if (operator === 'y') return copy(editor, from, to)
  const cut = kill(editor, from, to)
  return operator === 'c' ? toInsert(cut) : cut
}
