import { TurnbuckleError } from '../../core/base/errors.ts'
import type { CustomEvent, EmittedEvent, Event } from '../../core/events/events.ts'
import type { AnswerOptions } from '../../core/events/request.ts'

/** Something that a process asks of the one that works on a conversation's turns. */
export type TurnCommand =
  | { readonly type: 'interrupt'; readonly turnId: string; readonly reason?: string | undefined }
  | { readonly type: 'interject'; readonly turnId: string; readonly text: string }
  | {
      readonly type: 'answer'
      readonly requestId: string
      readonly answer: unknown
      readonly options?: AnswerOptions | undefined
    }
  /** Writes to the log beside the turn. */
  | { readonly type: 'rename'; readonly title: string }
  /** `null`: before the first message. */
  | { readonly type: 'moveHead'; readonly to: string | null }
  | { readonly type: 'emit'; readonly event: EmittedEvent<CustomEvent['type']> }
  /** A command of the programs above: their processes know it. */
  | { readonly type: `own.${string}`; readonly [field: string]: unknown }

/** The answer to a command; `undefined` where no process works on the conversation's turns, or none that knows the command. */
export type CommandAnswer = { readonly value: unknown } | undefined

/** News of a conversation that its log does not have. */
export interface LiveNews {
  /** The sequence number of the last event of the log that was told before. */
  readonly after: number
  /** Events without a number, in order. */
  readonly events: readonly Event[]
}

/** Messages that every process with turns hears. `to`: the topic of the process that asks. */
export type AskedOfAll =
  | { readonly type: 'follow'; readonly conversation: string; readonly isNew: boolean; readonly to: string }
  | {
      readonly type: 'command'
      readonly conversation: string
      readonly command: TurnCommand
      readonly id: number
      readonly to: string
    }

/** Messages to one process. */
export type ToldToOne =
  | ({ readonly type: 'live'; readonly conversation: string } & LiveNews)
  | { readonly type: 'done'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly error: PlainError }

/** The refusal of a command that the process at work does not know. */
export const unknownCommand = 'command.unknown'

/** The topic that every process with turns listens to. */
export const topicOfAll = 'turns'
/** Milliseconds after which a follower says again that it follows, and after which one that did not is forgotten. */
export const sayAgainEvery = 5000
export const forgottenAfter = 15_000

/** An error as plain JSON. */
export interface PlainError {
  readonly code: string
  readonly message: string
  readonly cause?: unknown
}
export function plainError(error: unknown): PlainError {
  const { message } = error as Error
  if (!(error instanceof TurnbuckleError)) return { code: 'turn.failed', message }
  const { code, cause } = error
  return { code, message, ...(cause instanceof Error ? {} : { cause }) }
}
export const errorOf = ({ code, message, cause }: PlainError): TurnbuckleError =>
  new TurnbuckleError(code, message, { cause })
