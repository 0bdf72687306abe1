import type { ChatSession } from '../session/chat-session.ts'
import { goBack } from '../slash/go-back.ts'
import { goToMessage } from '../slash/go-to-message.ts'
import type { TreeWalk } from '../transcript/chat-state.ts'
import type { KeyPress } from './key-press.ts'

/** A key while the tree of messages is shown. */
export function walkTree(session: ChatSession, tree: TreeWalk, { name, text }: KeyPress): void {
  const last = tree.lines.length - 1
  const to = (at: number) => session.set({ tree: { ...tree, at: Math.max(0, Math.min(last, at)) } })
  if (name === 'up' || text === 'k') to(tree.at - 1)
  else if (name === 'down' || text === 'j') to(tree.at + 1)
  else if (name === 'page-up') to(tree.at - 10)
  else if (name === 'page-down') to(tree.at + 10)
  else if (name === 'home') to(0)
  else if (name === 'end') to(last)
  else if (name === 'escape' || text === 'q') session.set({ tree: undefined })
  else if (name === 'enter') goOnFrom(session, tree.lines[tree.at]?.id)
}

/** Behind a message, but before one of the person's own: that is in the input again, to be said differently. */
function goOnFrom(session: ChatSession, id: string | undefined): void {
  const node = session.conversation.tree.find(one => one.id === id)
  if (node?.message.role === 'user') {
    session.set({ tree: undefined })
    goBack(session, node).catch((error: Error) => session.say(error.message, 'warn'))
  } else void goToMessage(session, id)
}
