import { expect, test, vi } from 'vitest'
import { chatSession } from '../../../test/chat-session.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState, TreeWalk } from '../transcript/chat-state.ts'
import type { KeyPress } from './key-press.ts'
import { walkTree } from './walk-tree.ts'

const lines = Array.from({ length: 30 }, (_, i) => ({ id: `msg_${i}`, text: '', onPath: true, isHead: false }))

/** Index of the line that is chosen after a key at the sixth; undefined when the tree is closed. */
function chosen(name: KeyPress['name'], text = '') {
  const tree: TreeWalk = { lines, at: 5 }
  const state: Partial<ChatState> = { tree }
  const session = { set: (change: Partial<ChatState>) => Object.assign(state, change) }
  walkTree(session as unknown as ChatSession, tree, { name, text })
  return state.tree?.at
}

test.each([
  { name: 'up', is: 4 },
  { name: 'down', is: 6 },
  { name: 'page-up', is: 0 },
  { name: 'page-down', is: 15 },
  { name: 'home', is: 0 },
  { name: 'end', is: 29 },
  { name: 'escape', is: undefined },
] as const)('$name goes to line $is', ({ name, is }) => {
  expect(chosen(name)).toBe(is)
})

test('Enter goes on from the chosen message', () => {
  const went: string[] = []
  const conversation = { tree: [], checkout: async (id: string) => void went.push(id) }
  walkTree(
    { conversation, redraw() {}, tellAgain() {} } as unknown as ChatSession,
    { lines, at: 5 },
    { name: 'enter', text: '' },
  )
  expect(went).toEqual(['msg_5'])
})

test('Enter at a message of one’s own goes before it, with its text in the input', async () => {
  const { session } = chatSession()
  await session.conversation.send('Go')
  await session.conversation.send('On')
  const [, reply, own] = session.conversation.messages
  const line = { id: own?.id ?? '', text: '', onPath: true, isHead: false }
  walkTree(session, { lines: [line], at: 0 }, { name: 'enter', text: '' })
  await vi.waitFor(() => expect(session.state.editor.text).toBe('On'))
  expect(session.conversation.head).toBe(reply?.id)
})
