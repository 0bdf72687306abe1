import type { ChatSession } from '../session/chat-session.ts'

/** Moves the head to a message and shows the path to it. `undefined` moves it before the first message. */
export async function goToMessage(session: ChatSession, id: string | undefined): Promise<void> {
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
