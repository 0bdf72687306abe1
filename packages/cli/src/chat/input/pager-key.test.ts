import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyboardChat } from '../../../test/keyboard-chat.ts'
import { openPicker } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { KeyPress } from './key-press.ts'
import { openPager, pagerKey } from './pager-key.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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

test.each([
  { over: 'the pager', shown: { pager: { below: 0 } }, close: key('text', 'q') },
  {
    over: 'a list',
    shown: { picker: openPicker('Model', [{ id: 'a', label: 'a', detail: '' }], () => {}) },
    close: key('enter'),
  },
  { over: 'the tree', shown: { tree: { lines: [], at: 0 } }, close: key('escape') },
])('a question that came up behind $over hears keys 400 ms after it is seen', ({ shown, close }) => {
  const { heard, ask, enter, later, press } = keyboardChat(shown)
  ask()
  later(5000)
  press(close.name, close.text)
  enter()
  expect(heard).toEqual([])
  later(400)
  enter()
  expect(heard).toEqual([{ decision: 'allow', scope: 'once' }])
})

test('Ctrl-C with nothing running closes the pager, so that one sees that the second leaves', () => {
  const { session, ctrl, heard } = keyboardChat({ pager: { below: 0 } })
  session.isWorking = false
  ctrl('c')
  expect([session.state.pager, session.state.hint, heard]).toEqual([undefined, 'Ctrl-C again leaves.', []])
})
