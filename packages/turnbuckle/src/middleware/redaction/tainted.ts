import type { Call } from '../../core/base/message.ts'
import { list } from './list.ts'

/** A call that carried a find, which was taken out of its arguments. Calls of a sub-agent may have the ids of its caller's. */
export const taint = (turn: { readonly id: string }, callId: string): string => `${turn.id} ${callId}`

export const isTainted = (found: readonly string[], turn: { readonly id: string }, { id }: Pick<Call, 'id'>): boolean =>
  found.includes(taint(turn, id))

/** Why it does not run. */
export const tainted = (kinds: readonly string[] = []): string =>
  `The arguments contain ${list(kinds) || 'what must not leave'}.`
