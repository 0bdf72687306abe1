import type { ConversationSummary } from 'turnbuckle/client'
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
    for (const { id, title } of newlyWaiting(before.list, list, me)) notify(id, title || 'A conversation')
    const known = new Set(before.askedRequests.map(({ id }) => id))
    for (const { id, conversationId, owner } of askedRequests)
      if (!known.has(id)) notify(conversationId, `${owner} asks you`)
  })
}

function notify(conversationId: string, title: string): void {
  const notification = new Notification(title, { body: 'A question waits for you.', tag: conversationId })
  notification.onclick = () => {
    window.focus()
    void openConversation(conversationId)
    notification.close()
  }
}
