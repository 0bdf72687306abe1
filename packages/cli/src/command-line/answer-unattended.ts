import type { Event, Turn } from 'turnbuckle'

/** The flags of the command answer in the owner's place. */
const author = { by: 'turnbuckle run', owner: 'turnbuckle run' }

/**
 * Answers a request where no person is: a permission as the flags say, the outcome of a call with `stop`, and any other
 * request with its fallback.
 */
export function answerUnattended(
  turn: Turn,
  event: Event & { type: 'request.opened' },
  decision: 'allow' | 'deny',
): void {
  const { kind, requestId, voted } = event
  // A turn that has ended meanwhile takes no answers.
  if (turn.ended) return
  // The votes of several people are not one flag's to give. One no is enough.
  if (voted && decision === 'allow') turn.expire(requestId)
  else if (kind === 'permission' || kind === 'continuation') {
    const reason = 'Nobody is here to ask. turnbuckle run --yes allows it.'
    turn.answer(requestId, decision === 'allow' ? { decision, scope: 'once' } : { decision, reason }, author)
  } else if (kind === 'outcome') turn.answer(requestId, { outcome: 'stop' })
  else turn.expire(requestId)
}
