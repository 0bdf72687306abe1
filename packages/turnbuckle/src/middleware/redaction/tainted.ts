import type { Call } from '../../core/message.ts'
import { list } from './list.ts'

/** Whether a call carried a find that was taken out of its arguments. An id that a provider uses twice gets a mark at its end. */
export const isTainted = (found: readonly string[], { id }: Pick<Call, 'id'>): boolean =>
  found.includes(id) || found.includes(id.replace(/'+$/, ''))

/** Why it does not run. */
export const tainted = (kinds: readonly string[] = []): string =>
  `The arguments contain ${list(kinds) || 'what must not leave'}.`
