import type { Message } from '../base/message.ts'
import type { CallText } from './events.ts'

/** A reply while the model writes it: an attempt, as readers and the step see it. */
export interface GrowingReply {
  /** The id of the message that it becomes. */
  readonly id: string
  readonly text: string
  /** True once some text of the reply was shown. */
  readonly shown: boolean
  /** The calls whose arguments are being written. */
  readonly written: Iterable<CallText>
  /** The reply so far, marked where it is not whole. */
  message(): Message
  /** The text that was shown, which is kept when the attempt is cut. */
  partial(): Message | undefined
  /** Tells whoever saw it that it does not count. */
  withdraw(reason: string): void
  /** Counts it as a model call of its own, not a part of one. */
  bill(): void
}
