import { lastCharacter } from '../editor/characters.ts'
import { type KeyPress, keyName } from '../input/key-press.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { type Picker, searchPicker, walkPicker } from './picker.ts'

const page = 10
const walks: Readonly<Record<string, number>> = {
  up: -1,
  'ctrl-p': -1,
  down: 1,
  'ctrl-n': 1,
  'page-up': -page,
  'page-down': page,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}

/** A key while a list is shown to choose from. */
export function pressInPicker(session: ChatSession, picker: Picker, key: KeyPress): void {
  const name = keyName(key)
  const by = walks[name]
  const { query } = picker
  if (by !== undefined) session.set({ picker: walkPicker(picker, by) })
  else if (name === 'text' || name === 'paste') session.set({ picker: searchPicker(picker, query + key.text) })
  else if (name === 'backspace')
    session.set({ picker: searchPicker(picker, query.slice(0, -lastCharacter(query).length || undefined)) })
  else if (name === 'ctrl-u') session.set({ picker: searchPicker(picker, '') })
  else if (name === 'escape') session.set({ picker: undefined })
  else if (name === 'enter') take(session, picker)
}

function take(session: ChatSession, picker: Picker): void {
  const chosen = picker.items[picker.at]
  if (!chosen) return
  session.set({ picker: undefined })
  picker.take(chosen.id)
}
