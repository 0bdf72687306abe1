import { TurnbuckleError } from '../../core/base/errors.ts'

/** What every store says alike when a writer may not write. */
const refusal = (code: string, message: string): TurnbuckleError =>
  new TurnbuckleError(code, message, { kind: 'store' })

/** Another living writer holds the conversation. */
export const locked = (conversation: string, holder: string): TurnbuckleError =>
  refusal(
    'conversation.locked',
    `Another process (${holder}) is working on the conversation "${conversation}". Wait for it, or fork.`,
  )

/** Another writer has taken it over since. */
export const fenced = (conversation: string): TurnbuckleError =>
  refusal(
    'store.fenced',
    `Another process has taken over the conversation "${conversation}". This one may not write to it any more.`,
  )

/** `last` is the number that the log is at. */
export const conflict = (conversation: string, last: number, seq: number): TurnbuckleError =>
  refusal('store.conflict', `The log of "${conversation}" is at event ${last}; event ${seq} does not follow it.`)
