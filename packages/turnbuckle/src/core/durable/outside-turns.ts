import { messageOf, TurnbuckleError } from '../base/errors.ts'
import type { CustomEvent, EventBody } from '../events/events.ts'
import { addedEvent } from '../events/shared-conversation.ts'
import type { TreeNode } from '../history/tree.ts'
import type { Aside, Change } from '../types/journal.ts'
import type { SharedConversation } from '../types/shared-conversation.ts'

/** Events outside of turns, of a conversation on a log: they wait until this process is the writer. */
export class OutsideTurns implements Aside {
  readonly #conversation: SharedConversation
  /** Events that are being written, and those that were refused while their caller did not listen. */
  readonly #writing = new Set<Promise<void>>()
  /** Changes that are in memory already and not in the log yet, in order. */
  #changes: Change[] = []
  #madeUp: TreeNode[] = []

  constructor(conversation: SharedConversation) {
    this.#conversation = conversation
  }

  /** Messages that no turn has recorded, and that the log does not have yet: results of calls that were left open. */
  get madeUp(): readonly TreeNode[] {
    return this.#madeUp
  }

  say(body: EventBody | CustomEvent, change?: Change, unheard = false): Promise<void> {
    if (change) {
      change(true)
      this.#changes.push(change)
    }
    const kept = this.write(() => {
      // Again: another process may have changed the conversation before this one became the writer.
      change?.(true)
      this.#conversation.tell(body, undefined)
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
        const refused = { type: 'log.refused' as const, event: body.type, code, error: messageOf(error) }
        this.#conversation.tell(refused, undefined, 'unkept')
      },
    )
    return kept
  }

  /** Later changes are taken back too; each is put there again if the log takes it. */
  #takeBack(change: Change | undefined): void {
    const place = change ? this.#changes.indexOf(change) : -1
    if (place >= 0) for (const later of this.#changes.splice(place).reverse()) later(false)
  }

  makeUp(nodes: readonly TreeNode[]): void {
    this.#madeUp.push(...nodes)
    this.write(() => {}).catch(() => {})
  }
  keepMadeUp(): void {
    for (const node of this.#madeUp.splice(0)) this.#conversation.tell(addedEvent(node), undefined)
  }
  /** Another process has branched off at the same message, so that the log has made-up messages of ours. */
  dropMadeUp(ids: readonly string[]): void {
    if (ids.length) this.#madeUp = this.#madeUp.filter(({ id }) => !ids.includes(id))
  }

  async write(act: () => void): Promise<void> {
    const { journal } = this.#conversation
    try {
      const opening = journal?.open()
      if (opening instanceof Promise) await opening
      this.keepMadeUp()
      act()
    } catch (error) {
      // The log is let go of, since no turn runs for this write.
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
