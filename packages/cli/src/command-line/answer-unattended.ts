import type { Event, Turn } from 'turnbuckle'

/** The flags of the command answer in the owner's place. */
const author = { by: 'turnbuckle run', owner: 'turnbuckle run' }

/** The answers of flags, or `nobody` where none was given. */
export type Unattended = 'allow' | 'deny' | 'nobody'

/** Reasons of a no, for the model. */
const reasons: Readonly<Record<Exclude<Unattended, 'allow'>, string>> = {
  deny: 'Denied: whoever started this run has denied in advance what would be asked (--deny).',
  nobody: 'Nobody is here to ask. turnbuckle run --yes allows it.',
}

/**
 * Answers a request where no person is: a permission as the flags say, the outcome of a call with `stop`, and any other
 * request with its fallback.
 */
export function answerUnattended(turn: Turn, event: Event & { type: 'request.opened' }, answer: Unattended): void {
  const { kind, requestId, voted } = event
  // A turn that has ended meanwhile takes no answers.
  if (turn.ended) return
  // A hook has answered it already.
  if (!turn.requests.some(({ id }) => id === requestId)) return
  // The votes of several people are not one flag's to give. One no is enough.
  if (voted && answer === 'allow') turn.expire(requestId)
  else if (kind === 'permission' || kind === 'continuation') {
    const given =
      answer === 'allow' ? { decision: 'allow', scope: 'once' } : { decision: 'deny', reason: reasons[answer] }
    turn.answer(requestId, given, author)
  } else if (kind === 'outcome') turn.answer(requestId, { outcome: 'stop' })
  else turn.expire(requestId)
}
