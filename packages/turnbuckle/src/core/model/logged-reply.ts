import type { Message } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** The result of a model stage in the log: the reply, and what the step's draft knows of it besides. */
interface LoggedReply {
  /** Absent where the stage failed, or was left without one. */
  readonly reply?: Message | undefined
  readonly finishReason?: string | undefined
  readonly usage?: Usage | undefined
  /** The last attempt of the stage. Attempts that a `goto` has left behind are not taken up again. */
  readonly attempt: number
}

export function replyToLog({ turn: { step }, result }: StageFrame): LoggedReply {
  const { finishReason, usage } = step.draft
  return { reply: result as Message | undefined, finishReason, usage, attempt: step.lastAttempt }
}

/** Puts the step back to where the stage was left. Logs of versions before have the message alone. */
export function replyFromLog({ turn: { step, replay } }: StageFrame, logged: unknown): unknown {
  if (!isLoggedReply(logged)) return logged
  const { reply, usage, finishReason, attempt } = logged
  step.closeAttempt(usage, finishReason)
  step.skipAttempts(attempt + 1)
  const streamed = replay.passReplies(step.index, attempt)
  if (streamed) step.useKnown(streamed.message)
  return reply
}

const isLoggedReply = (logged: unknown): logged is LoggedReply =>
  typeof logged === 'object' && logged !== null && 'attempt' in logged && typeof logged.attempt === 'number'
