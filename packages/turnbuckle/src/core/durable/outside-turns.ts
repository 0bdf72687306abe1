import { messageOf, TurnbuckleError } from '../base/errors.ts'
import type { MemoryChange, TellableEvent, WhenWriter } from '../events/news.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { OutsideTurns as OutsideTurnsType } from '../types/journal.ts'

/** Events outside of turns, of a conversation on a log: they wait until this process is the writer. */
export class OutsideTurns implements OutsideTurnsType {
  readonly #conversation: ConversationCore
  /** Events that are being written, and those that were refused while their caller did not listen. */
  readonly #writing = new Set<Promise<void>>()
  /** Changes that are in memory already and not in the log yet, in order. */
  #changes: MemoryChange[] = []
  /** Events that are told with the next write: messages that no turn has recorded, as the results of calls that were left open. */
  #queued: TellableEvent[] = []

  constructor(conversation: ConversationCore) {
    this.#conversation = conversation
  }

  /** The messages that the log does not have yet. */
  get queuedMessages(): readonly string[] {
    return this.#queued.flatMap(addedMessage)
  }

  tell(body: TellableEvent, keeping: 'nextWrite' | WhenWriter): Promise<void> | undefined {
    if (keeping !== 'nextWrite') return this.#tellWhenWriter(body, keeping)
    this.#queued.push(body)
    return undefined
  }

  #tellWhenWriter(body: TellableEvent, { change, unheard }: WhenWriter): Promise<void> {
    if (change) {
      change(true)
      this.#changes.push(change)
    }
    const kept = this.write(() => {
      // Again: another process may have changed the conversation before this one became the writer.
      change?.(true)
      this.#conversation.tell(body)
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
        this.#conversation.tell(
          { type: 'log.refused', event: body.type, code, error: messageOf(error) },
          undefined,
          'unkept',
        )
      },
    )
    return kept
  }

  /** Later changes are taken back too; each is put there again if the log takes it. */
  #takeBack(change: MemoryChange | undefined): void {
    const place = change ? this.#changes.indexOf(change) : -1
    if (place >= 0) for (const later of this.#changes.splice(place).reverse()) later(false)
  }

  writeQueued(): void {
    this.write(() => {}).catch(() => {})
  }
  tellQueued(): void {
    for (const body of this.#queued.splice(0)) this.#conversation.tell(body)
  }
  /** Another process has branched off at the same message, so that the log has queued messages of ours. */
  dropQueued(ids: readonly string[]): void {
    if (ids.length) this.#queued = this.#queued.filter(body => !addedMessage(body).some(id => ids.includes(id)))
  }

  async write(act: () => void): Promise<void> {
    const { journal } = this.#conversation
    try {
      const opening = journal?.open()
      if (opening instanceof Promise) await opening
      this.tellQueued()
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

const addedMessage = (body: TellableEvent): string[] =>
  body.type === 'message.added' && 'messageId' in body ? [body.messageId] : []
