import { TurnbuckleError } from '../../core/base/errors.ts'

/** The errors of a writer that may not write, the same in every store. */
const refusal = (code: string, message: string): TurnbuckleError =>
  new TurnbuckleError(code, message, { kind: 'store' })

/** Another living writer holds the conversation. */
export const locked = (conversation: string, holder: string): TurnbuckleError =>
  refusal(
    'conversation.locked',
    `Another process (${holder}) is working on the conversation "${conversation}". Wait for it, or fork.`,
  )

/** Another agent of this process holds the conversation. `caller`: the turn that it is a sub-agent of. */
export const lockedHere = (conversation: string, caller: string | undefined): TurnbuckleError =>
  refusal(
    'conversation.locked',
    caller === undefined
      ? `Another agent of this process is working on the conversation "${conversation}". Wait for it, or fork.`
      : `A sub-agent is working in the conversation "${conversation}", for the turn "${caller}". Wait until it is done, say it to that turn, or fork.`,
  )

/** Another writer has taken over the conversation since this one's last commit. */
export const fenced = (conversation: string): TurnbuckleError =>
  refusal(
    'store.fenced',
    `Another process has taken over the conversation "${conversation}". This one may not write to it any more.`,
  )

/** `last`: the number of the log's last event. */
export const conflict = (conversation: string, last: number, seq: number): TurnbuckleError =>
  refusal('store.conflict', `The log of "${conversation}" is at event ${last}; event ${seq} does not follow it.`)
