import type { ClientError, ConversationState, WireEvent } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { showNotice } from '../state/show-notice.ts'

/** Ids of the requests that this page has answered. */
const answered = new Set<string>()

/**
 * Answers a request. The first answer counts; a later one is told so. Resolves to false when the request was over
 * already and the page has to be read anew.
 */
export async function answerRequest(requestId: string, value: unknown): Promise<boolean> {
  const { client } = useAppState.getState()
  if (!client) return true
  answered.add(requestId)
  try {
    await client.answer(requestId, value)
    return true
  } catch (error) {
    answered.delete(requestId)
    const { code, message, decision } = error as ClientError
    showNotice(code === 'request.answered' ? `${decided(decision)} already.` : message)
    return code !== 'request.answered' && code !== 'request.expired'
  }
}

/** Shows a notice for each request of this page that another page answered. */
export function noticeAnswersElsewhere({ requests }: ConversationState, events: readonly WireEvent[]): void {
  for (const event of events) {
    if (event.type !== 'request.answered' || answered.has(event.requestId)) continue
    if (requests.some(({ id }) => id === event.requestId))
      showNotice(
        `${decided(event.decision)} ${event.by && event.by !== 'me' ? `by ${event.by}, ` : ''}elsewhere.`,
        'news',
      )
  }
}

const decisions: Readonly<Record<string, string>> = {
  allow: 'It was allowed',
  deny: 'It was denied',
  delegate: 'It was passed on',
}

function decided(decision: unknown): string {
  const { decision: word } = (typeof decision === 'object' && decision ? decision : {}) as { decision?: unknown }
  return decisions[String(word)] ?? 'The question was answered'
}
