import type { ClientError, ConversationState, WireEvent, WireRequest } from 'turnbuckle/client'
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
    const request = requests.find(({ id }) => id === event.requestId)
    if (!request) continue
    const by = event.by && event.by !== 'me' ? event.by : undefined
    const words = isOneOfVotes(request, event.decision)
      ? `${by ?? 'Somebody'} has said yes. The vote goes on.`
      : `${decided(event.decision)} ${by ? `by ${by}, ` : ''}elsewhere.`
    showNotice(words, 'news')
  }
}

/** A yes to a question that needs the yes of others after it: nothing is allowed by it yet. */
function isOneOfVotes({ payload }: WireRequest, decision: unknown): boolean {
  const { quorum } = (payload ?? {}) as { readonly quorum?: { readonly needed: number; readonly given: number } }
  return quorum !== undefined && quorum.given + 1 < quorum.needed && wordOf(decision) === 'allow'
}

const decisions: Readonly<Record<string, string>> = {
  allow: 'It was allowed',
  deny: 'It was denied',
  delegate: 'It was passed on',
}

function decided(decision: unknown): string {
  return decisions[wordOf(decision)] ?? 'The question was answered'
}

function wordOf(decision: unknown): string {
  const { decision: word } = (typeof decision === 'object' && decision ? decision : {}) as { decision?: unknown }
  return String(word)
}
