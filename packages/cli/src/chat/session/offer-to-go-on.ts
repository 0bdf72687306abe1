import type { Conversation } from 'turnbuckle'
import type { ChatSession } from './chat-session.ts'
import { isAllowed } from './is-allowed.ts'

/** Offers to go on with a turn that a process has left unfinished; one that is long past is only named. */
export function offerToGoOn(
  session: Pick<ChatSession, 'conversation' | 'ask' | 'say' | 'resume'>,
  unfinished: string,
): void {
  if (wentOnSince(session.conversation, unfinished)) {
    session.say('An earlier turn did not end. /continue goes on with it.')
    return
  }
  session.ask(
    {
      kind: 'yes-no',
      title: 'The last turn did not end',
      body: 'The program was ended in the middle of it. Go on with it?',
    },
    yes => {
      if (isAllowed(yes)) session.resume()
      else session.say('Left as it is. /continue goes on with it.')
    },
  )
}

/** True when a message of another turn came after the unfinished turn began. */
function wentOnSince(conversation: Conversation, turnId: string): boolean {
  const last = conversation.tree.at(-1)
  const begun = conversation.told(turnId)[0]?.at ?? 0
  return last !== undefined && last.turnId !== turnId && last.createdAt > begun
}
