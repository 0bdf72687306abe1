import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import type { OpenConversation } from '../open/open-conversation.ts'
import type { ConversationIndex } from '../stored/conversation-index.ts'

/** Milliseconds between two looks at a turn that another process works on. */
const lookEvery = 1000

export interface OtherProcessesOptions {
  readonly store: ConversationStore | undefined
  readonly index: ConversationIndex
  /** True while this conversation, and no later one under its id, is in the list of open ones. */
  readonly isOpen: (conversation: OpenConversation) => boolean
  readonly isClosing: () => boolean
  /** Reads the rest of the log of a conversation that needs it. */
  readonly load: (id: string) => Promise<unknown>
  /** Goes on with a conversation's unfinished turns. */
  readonly takeOver: (conversation: OpenConversation) => Promise<unknown>
  /** Closes a conversation that another process has deleted. */
  readonly drop: (conversation: OpenConversation) => void
}

/** Takes in what other processes do to the logs of open conversations, and takes over the turns of processes that are gone. */
export class OtherProcesses {
  readonly #options: OtherProcessesOptions
  /** Conversations with a timer for the next look. */
  readonly #planned = new Set<OpenConversation>()

  constructor(options: OtherProcessesOptions) {
    this.#options = options
  }

  /** Compares a conversation with the store. One that this process writes to is looked at later: the log has only its events. */
  async catchUp(conversation: OpenConversation): Promise<void> {
    const { store, isOpen, drop, load } = this.#options
    if (!store) return
    const { id, log } = conversation
    if (log.isWriting) return this.#planLook(conversation)
    const { seq } = log
    const row = await store.conversation(id)
    const gone = await this.#isGone(conversation, row, seq)
    if (!isOpen(conversation)) return
    if (gone) return drop(conversation)
    if (!row) return
    log.setBegunAt(row.createdAt)
    log.setHeld(row.held ?? false)
    if (row.seq > log.seq) log.happen('fellBehind')
    await load(id)
    if (log.turnsElsewhere.length) await this.#takeOver(conversation, row)
  }
  /** True where another process has deleted it, and perhaps made another since. `seq`: that of before the row was read. */
  async #isGone({ id, log }: OpenConversation, row: ConversationRow | undefined, seq: number): Promise<boolean> {
    if (row) return row.seq < seq || (log.begunAt !== undefined && log.begunAt !== row.createdAt)
    return seq > 0 || !(await this.#options.index.find(id))
  }
  /** Takes over unfinished turns, unless a living process holds the lease, or a turn is stuck here. */
  async #takeOver(conversation: OpenConversation, { id, held }: ConversationRow): Promise<void> {
    const { index, isClosing, takeOver } = this.#options
    this.#planLook(conversation)
    if (conversation.log.isStuck) conversation.setAnswerWaits(false)
    if (held || conversation.log.isStuck || isClosing() || !(await index.isServerMade(id))) return
    await takeOver(conversation)
  }

  /** A request of a turn that does not run here was answered here: the turn goes on, also where nobody follows. */
  takeOverAnswered(conversation: OpenConversation): void {
    conversation.setAnswerWaits(true)
    this.look(conversation)
  }
  /** Looks at turns elsewhere, in the background. A store that fails is asked again. */
  look(conversation: OpenConversation): void {
    if (conversation.log.turnsElsewhere.length) this.catchUp(conversation).catch(() => this.#planLook(conversation))
    else conversation.setAnswerWaits(false)
  }
  /** A conversation that nobody follows is looked at only for an answer: the next who opens it catches up. */
  #planLook(conversation: OpenConversation): void {
    if (this.#planned.has(conversation) || !conversation.log.turnsElsewhere.length) return
    this.#planned.add(conversation)
    setTimeout(() => {
      this.#planned.delete(conversation)
      const { isOpen, isClosing } = this.#options
      const wanted = conversation.isWatched || conversation.answerWaits
      if (wanted && isOpen(conversation) && !isClosing()) this.look(conversation)
    }, lookEvery).unref()
  }
}
