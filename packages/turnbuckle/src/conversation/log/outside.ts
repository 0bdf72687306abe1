import { messageOf, TurnbuckleError } from '../../core/base/errors.ts'
import type { Aside, Change } from '../../core/durable/journal-port.ts'
import type { CustomEvent, EventBody } from '../../core/events/events.ts'
import { addedEvent, type SharedConversation } from '../../core/events/shared-conversation.ts'
import type { TreeNode } from '../../core/history/tree.ts'

/** What is said outside of turns of a conversation on a log: it waits until this process is the writer. */
export class Outside implements Aside {
  readonly #conversation: SharedConversation
  /** What is being written, and what was refused without anybody having heard of it. */
  readonly #writing = new Set<Promise<void>>()
  /** What is in memory already, and not in the log yet, in order. */
  #changes: Change[] = []
  /** Results that the log does not have yet, of calls that were left open. */
  readonly madeUp: TreeNode[] = []

  constructor(conversation: SharedConversation) {
    this.#conversation = conversation
  }

  /** Resolves when the log has it. `unheard`: nobody gets what this gives, so `kept` rejects if it is refused. */
  say(body: EventBody | CustomEvent, change?: Change, unheard = false): Promise<void> {
    if (change) {
      change(true)
      this.#changes.push(change)
    }
    const kept = this.write(() => {
      // Another process may have changed it since.
      change?.(true)
      this.#conversation.emit(body, undefined)
    })
    this.#writing.add(kept)
    kept.then(
      () => {
        this.#changes = this.#changes.filter(other => other !== change)
        this.#writing.delete(kept)
      },
      error => {
        this.#takeBack(change)
        if (!unheard) this.#writing.delete(kept)
        const code = error instanceof TurnbuckleError ? error.code : 'store.failed'
        this.#conversation.tell({ type: 'log.refused', event: body.type, code, error: messageOf(error) })
      },
    )
    return kept
  }

  /** And what came behind it, which is put there again if the log takes it. */
  #takeBack(change: Change | undefined): void {
    const place = change ? this.#changes.indexOf(change) : -1
    if (place >= 0) for (const behind of this.#changes.splice(place).reverse()) behind(false)
  }

  /** Nothing that a person said: it goes with what is next written here, if not now. */
  makeUp(nodes: readonly TreeNode[]): void {
    this.madeUp.push(...nodes)
    this.write(() => {}).catch(() => {})
  }
  /** This is the writer now. */
  keepMadeUp(): void {
    for (const node of this.madeUp.splice(0)) this.#conversation.emit(addedEvent(node), undefined)
  }

  /** Where the store answers at once it is done when this returns; it is durable when that resolves. */
  async write(act: () => void): Promise<void> {
    const { journal } = this.#conversation
    try {
      const opening = journal?.open()
      if (opening instanceof Promise) await opening
      this.keepMadeUp()
      act()
    } catch (error) {
      // Nobody works on it here.
      await journal?.release().catch(() => {})
      throw error
    }
    await journal?.release()
  }

  async kept(): Promise<void> {
    const writing = [...this.#writing]
    this.#writing.clear()
    await Promise.all(writing)
  }
}
