import type { Node } from 'turnbuckle'
import { ownWords, toldBesides } from '../../text/own-words.ts'
import { replaceText } from '../editor/editor.ts'
import type { ChatSession } from '../session/chat-session.ts'

/** Moves the head to a message and shows the path to it. `undefined` moves it before the first message. */
export async function goToMessage(session: ChatSession, id: string | undefined): Promise<void> {
  session.tellAgain([])
  if (id === undefined) session.conversation = session.conversation.fork(null)
  const moved = id === undefined ? undefined : session.conversation.checkout(id)
  session.redraw()
  try {
    await moved
  } catch (error) {
    session.redraw()
    session.say((error as Error).message, 'warn')
  }
}

/** Moves the head before a message of the person's own, and puts its words into the input: what is said then makes a branch. */
export function goBefore(
  session: ChatSession,
  { parentId, message }: Pick<Node, 'parentId' | 'message'>,
  called = 'that message',
): void {
  void goToMessage(session, parentId)
  session.say(`You are before ${called}: what you say now makes a branch. /branch goes back.`)
  session.set(state => ({ ...state, editor: replaceText(state.editor, ownWords(message)) }))
  session.tellAgain(toldBesides(message))
}
