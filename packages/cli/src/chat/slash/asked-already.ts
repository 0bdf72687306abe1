import type { ChatSession } from '../session/chat-session.ts'

/** True, with a word about it, while a question of the chat's own is open: the answer to it may change what the next one would be about. */
export function isAskedAlready(session: Pick<ChatSession, 'state' | 'say'>): boolean {
  const asked = session.state.questions.find(({ own }) => own)
  if (asked) session.say('You are being asked something already: answer that first.', 'warn')
  return asked !== undefined
}
