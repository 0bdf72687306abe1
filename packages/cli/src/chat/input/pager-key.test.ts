import { expect, test } from 'vitest'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { KeyPress } from './key-press.ts'
import { openPager, pagerKey } from './pager-key.ts'

/** Lines below the page after the keys, in a terminal of 23 rows; undefined when the pager is closed. */
function below(...keys: readonly KeyPress[]) {
  const session = {
    state: {} as Partial<ChatState>,
    set: (change: Partial<ChatState>) => Object.assign(session.state, change),
  }
  openPager(session as unknown as ChatSession)
  for (const key of keys) pagerKey(session as unknown as ChatSession, key, 23)
  return session.state.pager?.below
}
const key = (name: KeyPress['name'], text = ''): KeyPress => ({ name, text })

test.each([
  { keys: [], is: 0 },
  { keys: [key('up'), key('text', 'k'), key('down')], is: 1 },
  { keys: [key('page-up'), key('text', 'b')], is: 40 },
  { keys: [key('page-up'), key('text', ' ')], is: 0 },
  { keys: [key('down')], is: 0 },
  { keys: [key('home')], is: Infinity },
  { keys: [key('text', 'x')], is: 0 },
  { keys: [key('text', 'q')], is: undefined },
  { keys: [key('escape')], is: undefined },
  { keys: [key('ctrl', 'o')], is: undefined },
])('$keys leave $is lines below', ({ keys, is }) => {
  expect(below(...keys)).toBe(is)
})
