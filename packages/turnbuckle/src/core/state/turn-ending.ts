import type { TurnStatus } from '../events/events.ts'

/** The ending of a turn, known before its after hooks run. */
export interface TurnEnding {
  readonly status: TurnStatus
  readonly reason: string
  readonly by: string
  readonly error?: unknown
  /** The closing text, in the assistant's name. */
  readonly say?: string | undefined
  /** The user's message was refused: it is not recorded. */
  readonly refused?: boolean
  /** The log cannot be written to: the turn ends here, and another process is to go on with it. */
  readonly abandoned?: boolean
}

/** The model asked for nothing more. */
export const doneEnding: TurnEnding = { status: 'completed', reason: 'done', by: 'model' }
