import type { Event, Turn } from 'turnbuckle'

/**
 * Answers where no person is: what is asked is allowed or denied as the flags say; whether a call happened nobody knows;
 * of any other question the fallback counts.
 */
export function answerUnattended(
  turn: Turn,
  event: Event & { type: 'request.opened' },
  decision: 'allow' | 'deny',
): void {
  const { kind, requestId } = event
  // The turn may have ended meanwhile: then nobody waits for the answer.
  if (turn.ended) return
  if (kind === 'permission' || kind === 'continuation') {
    const reason = 'Nobody is here to ask. turnbuckle run --yes allows it.'
    turn.answer(requestId, decision === 'allow' ? { decision, scope: 'once' } : { decision, reason })
  } else if (kind === 'outcome') turn.answer(requestId, { outcome: 'stop' })
  else turn.expire(requestId)
}
