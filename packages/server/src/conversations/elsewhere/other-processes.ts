import type { ConversationRow, ConversationStore, StoreNews } from 'turnbuckle/stores'
import type { ConversationIndex } from '../stored/conversation-index.ts'
import type { EngineTurns } from './engine-turns.ts'
import type { FollowedConversation, OpenList } from './followed-conversation.ts'
import type { LeftTurns } from './left-turns.ts'

/** Milliseconds between two looks at a turn that another process works on. */
const lookEvery = 1000

export interface OtherProcessesOptions {
  readonly store: ConversationStore | undefined
  readonly index: ConversationIndex
  readonly engine: EngineTurns | undefined
  readonly open: OpenList
  readonly left: LeftTurns
}

/** Takes in what other processes do to the logs of open conversations, and sees which turns have lost their process. */
export class OtherProcesses {
  readonly #options: OtherProcessesOptions
  /** Conversations with a timer for the next look. */
  readonly #planned = new Set<FollowedConversation>()

  constructor(options: OtherProcessesOptions) {
    this.#options = options
  }

  /** Takes in what is new in the store. Gives the ids of listed conversations that have changed and are not open here. */
  async hearNews(news: StoreNews): Promise<readonly string[]> {
    if (news.type === 'set') return []
    const open = this.#options.open.get(news.conversation)
    if (news.type === 'deleted') await (open && this.catchUp(open))
    else if (open) await this.#hearWritten(open, news)
    else if (news.isListed) return [news.conversation]
    return []
  }
  async #hearWritten(conversation: FollowedConversation, news: Extract<StoreNews, { type: 'written' }>): Promise<void> {
    const { id, log } = conversation
    if (log.isWriting) return
    log.setHeld(!news.isReleased)
    const before = log.seq
    await log.readOthers(news.seq ?? 0)
    if (news.isReleased) this.look(conversation)
    if (news.isListed && log.seq !== before && this.#isOpen(conversation)) this.#options.open.tellChanged(id)
  }
  /** News of the store may have been missed: conversations that somebody follows are compared with it. */
  async catchUpFollowed(): Promise<void> {
    for (const conversation of this.#options.open.all.filter(({ isWatched }) => isWatched))
      await this.catchUp(conversation)
  }

  /** Compares a conversation with the store. One that this process writes to is looked at later: the log has only its events. */
  async catchUp(conversation: FollowedConversation): Promise<void> {
    const { store, open } = this.#options
    if (!store) return
    const { id, log } = conversation
    if (log.isWriting) return this.#planLook(conversation)
    const { seq } = log
    const row = await store.conversation(id)
    const gone = await this.#isGone(conversation, row, seq)
    if (!this.#isOpen(conversation)) return
    if (gone) return open.drop(id)
    if (!row) return
    log.setBegunAt(row.createdAt)
    log.setHeld(row.held ?? false)
    // Who follows needs the events alone. A handle that was just read is for callers, and for turns that wait for one.
    if (log.needsHandle) await open.load(id)
    else await log.readOthers(row.seq)
    if (log.turnsElsewhere.length) await this.#takeOver(conversation, row)
  }
  /** False for a conversation that was closed, also where a later one under its id is open. */
  #isOpen(conversation: FollowedConversation): boolean {
    return this.#options.open.get(conversation.id) === conversation
  }
  /** True where another process has deleted it, and perhaps made another since. `seq`: that of before the row was read. */
  async #isGone({ id, log }: FollowedConversation, row: ConversationRow | undefined, seq: number): Promise<boolean> {
    if (row) return row.seq < seq || (log.begunAt !== undefined && log.begunAt !== row.createdAt)
    return seq > 0 || !(await this.#options.index.find(id))
  }
  /** Takes over unfinished turns, unless a living process holds the lease, or a turn is stuck here. */
  async #takeOver(conversation: FollowedConversation, { id, held }: ConversationRow): Promise<void> {
    const { index, left } = this.#options
    this.#planLook(conversation)
    if (conversation.log.isStuck) conversation.setAnswerWaits(false)
    if (held || conversation.log.isStuck || left.isClosing || !(await index.isServerMade(id))) return
    await left.takeOver(conversation)
  }

  /** A request of a turn that does not run here was answered here: the turn goes on, also where nobody follows. */
  takeOverAnswered(conversation: FollowedConversation): void {
    const { engine } = this.#options
    if (engine) engine.wakeSoon(conversation.id)
    else {
      conversation.setAnswerWaits(true)
      this.look(conversation)
    }
  }
  /** Looks at turns elsewhere, in the background. A store that fails is asked again. */
  look(conversation: FollowedConversation): void {
    if (conversation.log.turnsElsewhere.length) this.catchUp(conversation).catch(() => this.#planLook(conversation))
    else conversation.setAnswerWaits(false)
  }
  /** A conversation that nobody follows is looked at only for an answer: the next who opens it catches up. */
  #planLook(conversation: FollowedConversation): void {
    if (this.#planned.has(conversation) || !conversation.log.turnsElsewhere.length) return
    this.#planned.add(conversation)
    setTimeout(() => {
      this.#planned.delete(conversation)
      const wanted = conversation.isWatched || conversation.answerWaits
      if (wanted && this.#isOpen(conversation) && !this.#options.left.isClosing) this.look(conversation)
    }, lookEvery).unref()
  }
}
