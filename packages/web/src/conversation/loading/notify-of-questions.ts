import type { ConversationSummary } from 'turnbuckle/client'
import { questionText } from '../../requests/question-text.ts'
import { type AppState, useAppState } from '../../state/app-state.ts'
import { waitingForMe } from '../facts/waiting-for-me.ts'
import { openConversation } from '../open-conversation.ts'

/** Whether the browser lets this page notify, and whether it may be asked. Over plain HTTP browsers refuse without asking. */
export const notificationState = (): 'granted' | 'askable' | 'refused' => {
  if (typeof Notification === 'undefined' || !isSecureContext) return 'refused'
  if (Notification.permission === 'default') return 'askable'
  return Notification.permission === 'granted' ? 'granted' : 'refused'
}

/** The conversations in which more questions wait for the person than before. */
export function newlyWaiting(
  before: AppState['list'],
  after: AppState['list'],
  me?: AppState['me'],
): ConversationSummary[] {
  if (!before || !after || before === after) return []
  const known = new Map(before.map(({ id, waiting }) => [id, waiting]))
  return after.filter(one => waitingForMe(me, one) > (known.get(one.id) ?? 0))
}

/** Notifies of a question that begins to wait while the person looks at something else. A click leads to it. Returns a function that ends it. */
export function notifyOfQuestions(): () => void {
  return useAppState.subscribe(({ me, list, askedRequests }, before) => {
    if (notificationState() !== 'granted' || document.hasFocus()) return
    for (const { id, title } of newlyWaiting(before.list, list, me))
      notify(id, title || 'A conversation', 'A question waits for you.', () => void openConversation(id))
    const known = new Set(before.askedRequests.map(({ id }) => id))
    for (const request of askedRequests)
      if (!known.has(request.id)) notify(request.id, `${request.owner} asks you`, questionText(request), showAsked)
  })
}

/** The question stands over whatever is open; its conversation is somebody else's, and need not be shown to this person. */
const showAsked = (): void => document.querySelector('.asked')?.scrollIntoView({ block: 'nearest' })

/** Chrome for Android grants notifications and then throws for those of a page: nothing is told there, as where they are refused. */
function notify(tag: string, title: string, body: string, show: () => void): void {
  try {
    const notification = new Notification(title, { body, tag })
    notification.onclick = () => {
      window.focus()
      show()
      notification.close()
    }
  } catch {}
}
