import { type KeyPress, keyName } from '../input/key-press.ts'
import {
  change,
  type Editor,
  erase,
  insert,
  kill,
  lineEnd,
  lineStart,
  moveTo,
  next,
  previous,
  typeText,
  undo,
  vertical,
  yank,
  yankOlder,
} from './editor.ts'
import { foldPaste } from './fold-paste.ts'
import { applyVimKey } from './vim-keys.ts'
import { blankWordStart, wordEnd, wordStart } from './word-places.ts'

type Edit = (editor: Editor) => Editor

const backspace: Edit = editor => erase(editor, previous(editor), editor.cursor)
const erasesNext: Edit = editor => ({ ...erase(editor, editor.cursor, next(editor)), cursor: editor.cursor })
const left: Edit = editor => moveTo(editor, previous(editor))
const right: Edit = editor => moveTo(editor, next(editor))
const home: Edit = editor => moveTo(editor, lineStart(editor))
const end: Edit = editor => moveTo(editor, lineEnd(editor))
const wordLeft: Edit = editor => moveTo(editor, wordStart(editor))
const wordRight: Edit = editor => moveTo(editor, wordEnd(editor))

/** The keys of readline. Ctrl-T is left out: it shows thoughts. */
const edits: Readonly<Record<string, Edit>> = {
  newline: editor => insert(editor, '\n'),
  backspace,
  'ctrl-h': backspace,
  delete: erasesNext,
  'ctrl-d': erasesNext,
  left,
  'ctrl-b': left,
  right,
  'ctrl-f': right,
  home,
  'ctrl-a': home,
  end,
  'ctrl-e': end,
  'word-left': wordLeft,
  'alt-b': wordLeft,
  'word-right': wordRight,
  'alt-f': wordRight,
  up: editor => vertical(editor, -1),
  down: editor => vertical(editor, 1),
  'alt-<': editor => moveTo(editor, 0),
  'alt->': editor => moveTo(editor, editor.text.length),
  'ctrl-u': editor => kill(editor, lineStart(editor), editor.cursor),
  'ctrl-k': editor => kill(editor, editor.cursor, Math.max(lineEnd(editor), lineEndOrBreak(editor))),
  'ctrl-w': editor => kill(editor, blankWordStart(editor), editor.cursor),
  'alt-backspace': editor => kill(editor, wordStart(editor), editor.cursor),
  'alt-d': editor => kill(editor, editor.cursor, wordEnd(editor)),
  'ctrl-y': yank,
  'alt-y': yankOlder,
  'ctrl-_': undo,
  'alt-u': editor => changeWord(editor, word => word.toUpperCase()),
  'alt-l': editor => changeWord(editor, word => word.toLowerCase()),
  'alt-c': editor => changeWord(editor, capitalize),
  'alt-t': exchangeWords,
}

export const editKeyNames: readonly string[] = Object.keys(edits)

/** At the end of a line Ctrl-K takes the line's break. */
const lineEndOrBreak = ({ text, cursor }: Editor): number => (text[cursor] === '\n' ? cursor + 1 : cursor)

const capitalize = (word: string): string => word.toLowerCase().replace(/\p{L}/u, letter => letter.toUpperCase())

function changeWord(editor: Editor, by: (word: string) => string): Editor {
  const { text, cursor } = editor
  const to = wordEnd(editor)
  return change(editor, { text: text.slice(0, cursor) + by(text.slice(cursor, to)) + text.slice(to), cursor: to })
}

/** Exchanges the word before the cursor with the one behind it, or the last two. */
function exchangeWords(editor: Editor): Editor {
  const { text } = editor
  const to = wordEnd(editor)
  const second = wordStart({ text, cursor: to })
  const first = wordStart({ text, cursor: second })
  const firstEnd = wordEnd({ text, cursor: first })
  if (first === second || firstEnd > second) return editor
  const swapped = text.slice(second, to) + text.slice(firstEnd, second) + text.slice(first, firstEnd)
  return change(editor, { text: text.slice(0, first) + swapped + text.slice(to), cursor: to })
}

/** The editor after a key press. Contract: the same object when the key means nothing here. */
export function applyKey(editor: Editor, key: KeyPress): Editor {
  if (key.name === 'paste') return foldPaste(editor, key.text)
  if (editor.vim) return applyVimKey(editor, key, applyReadlineKey)
  return applyReadlineKey(editor, key)
}

function applyReadlineKey(editor: Editor, key: KeyPress): Editor {
  if (key.name === 'text') return typeText(editor, key.text)
  return edits[keyName(key)]?.(editor) ?? editor
}
