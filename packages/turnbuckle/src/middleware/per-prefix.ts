import type { Message } from '../core/base/message.ts'
import { isOnPath, type TreeNode } from '../core/history/tree.ts'

interface Kept<Value> {
  readonly messages: Message[]
  readonly values: Value[]
  /** The end of the path that they are; nothing when somebody has changed them. */
  tip: TreeNode | undefined
}

/**
 * A value for each beginning of a list of messages, worked out from the one before it. What was worked out for the list
 * before is kept as far as the messages are the very same: a call looks into new messages only, and after an edit into
 * those from the first changed one on. A path that goes on from the one before is not even compared.
 */
export class PerPrefix<Value> {
  readonly #next: (before: Value | undefined, message: Message, index: number) => Value
  readonly #kept = new WeakMap<object, Kept<Value>>()

  constructor(next: (before: Value | undefined, message: Message, index: number) => Value) {
    this.#next = next
  }

  /** The value at `i` is for the messages up to and with `i`. Good until the next call for the same owner. */
  of(owner: object, messages: readonly Message[], tip?: TreeNode): readonly Value[] {
    let kept = this.#kept.get(owner)
    if (!kept) {
      kept = { messages: [], values: [], tip: undefined }
      this.#kept.set(owner, kept)
    }
    const { messages: seen, values } = kept
    const same = kept.tip && tip && isOnPath(kept.tip, tip) ? seen.length : alike(seen, messages)
    kept.tip = tip
    seen.length = same
    values.length = same
    for (let i = same; i < messages.length; i++) {
      const message = messages[i] as Message
      values.push(this.#next(values[i - 1], message, i))
      seen.push(message)
    }
    return values
  }
}

/** The number of messages that both begin with. */
function alike(one: readonly Message[], other: readonly Message[]): number {
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same++
  return same
}
