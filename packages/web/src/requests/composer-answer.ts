import type { WireRequest } from 'turnbuckle/client'
import { runningTurn } from '../conversation/facts/running-turn.ts'
import type { AppState } from '../state/app-state.ts'
import { schemaFields } from './schema-fields.ts'

/** The question that the composer answers: the oldest that the turn at the head waits for and the person has not voted on. */
export function questionAtComposer({
  conversation,
  me,
}: Pick<AppState, 'conversation' | 'me'>): WireRequest | undefined {
  const turnId = conversation && runningTurn(conversation)
  if (turnId === undefined) return undefined
  return conversation?.requests.find(request => request.turnId === turnId && !hasVoted(request, me))
}

/** Whether the person has said yes to a question that needs the yes of others too. A no ends it at once. */
export const hasVoted = ({ voted }: WireRequest, me: AppState['me']): boolean =>
  me !== undefined && voted?.includes(me.name) === true

const keys: Readonly<Record<string, 'allow' | 'deny'>> = { a: 'allow', d: 'deny' }

/** Milliseconds in which no other key may follow A or D: "also delete it" begins with an A, and is no yes. */
export const loneKeyMs = 600

/** The answer of a key in the empty composer: A allows a call once, D denies it. */
export function answerOfKey({ kind }: WireRequest, key: string): unknown {
  const decision = kind === 'permission' ? keys[key.toLowerCase()] : undefined
  return decision && { decision, scope: 'once' }
}

/**
 * The answer that a text in the composer is: A or D alone as the keys, the reason of a no for a permission, the answer itself for a question with
 * one field for text. `undefined` for questions that need their form.
 */
export function answerOfText(request: WireRequest, text: string): unknown {
  const { kind, payload } = request
  const byKey = answerOfKey(request, text.trim())
  if (byKey !== undefined) return byKey
  if (kind === 'permission') return { decision: 'deny', scope: 'once', reason: text.slice(0, 500) }
  if (kind !== 'clarification') return undefined
  const [field, ...others] = schemaFields(payload)
  const takesText = field?.kind === 'text' || (field?.kind === 'choice' && field.other)
  return takesText && field && !others.length ? { [field.name]: text } : undefined
}
