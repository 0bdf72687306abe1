import type { Agent, Conversation, Event, NewMessage } from 'turnbuckle'
import type { ConversationStore, SharedTurns, StoreNews } from 'turnbuckle/stores'
import { EngineTurns } from '../elsewhere/engine-turns.ts'
import type { OpenList } from '../elsewhere/followed-conversation.ts'
import { LeftTurns } from '../elsewhere/left-turns.ts'
import { OtherProcesses } from '../elsewhere/other-processes.ts'
import type { ConversationIndex, FoundEntry, IndexEntry } from '../stored/conversation-index.ts'
import type { TurnRunner } from '../turns/turn-runner.ts'
import { ConversationLookup } from './conversation-lookup.ts'
import type { ConversationNews } from './followed-log.ts'
import { OpenConversation } from './open-conversation.ts'
import { readHandle } from './read-handle.ts'
import { subAgentNews, tellSubAgent } from './sub-agent-news.ts'

/** News of the list for the service: a conversation has another summary, or another process has deleted it. */
export type ListNews = { readonly type: 'changed' } | { readonly type: 'deleted' }

export interface OpenConversationsOptions {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
  /** Works on turns outside of this process. */
  readonly runner?: TurnRunner | undefined
  readonly index: ConversationIndex
  /** The number of conversations that stay in memory although nobody follows them and no turn runs. */
  readonly keptIdle: number
  readonly onNews: (news: ListNews, conversation: OpenConversation) => void
  readonly shared: SharedTurns
  /** Told of errors of the store that ended a turn. */
  readonly report?: ((error: unknown) => void) | undefined
}

interface MadeConversation {
  readonly owner: string
  readonly title?: string | undefined
  /** The history that it begins with. */
  readonly messages?: readonly NewMessage[] | undefined
}

/** The conversations that are open in this process: each once, for as long as a follower, turn or caller needs it. */
export class OpenConversations implements OpenList {
  /** Where an engine runs turns outside of this process. */
  readonly #engine: EngineTurns | undefined
  readonly #left: LeftTurns
  readonly #others: OtherProcesses
  readonly #options: OpenConversationsOptions
  readonly #lookup: ConversationLookup
  /** By id; the last in the map is the last that was asked for. */
  readonly #open = new Map<string, OpenConversation>()
  /** Reads of a log that are under way, by conversation: two callers share one. */
  readonly #reading = new Map<string, Promise<OpenConversation>>()
  #lettingGo = false

  constructor(options: OpenConversationsOptions) {
    this.#options = options
    const { agent, store, runner, index } = options
    this.#lookup = new ConversationLookup(store)
    this.#engine = store && runner && new EngineTurns({ agent, store, runner })
    const engine = this.#engine
    this.#left = new LeftTurns({ agent, store, index, engine, open: this, catchUp: one => this.#others.catchUp(one) })
    this.#others = new OtherProcesses({ store, index, engine, open: this, left: this.#left })
  }

  /** A conversation that is open now. */
  get(id: string): OpenConversation | undefined {
    return this.#open.get(id)
  }
  get all(): readonly OpenConversation[] {
    return [...this.#open.values()]
  }
  /** The conversation that is open now and has this turn. */
  ofTurn(turnId: string): OpenConversation | undefined {
    return this.#lookup.ofTurn(turnId)
  }
  /** True where turns that a process has left are about to go on here. */
  willResume(id: string): boolean {
    return this.#left.has(id) || this.#open.get(id)?.log.lifecycle === 'takingOver'
  }

  /** Turns that other processes, and the last one here, have left unfinished. */
  get leftTurns(): Pick<LeftTurns, 'find' | 'resumeFound' | 'takeOverAll' | 'close'> {
    return this.#left
  }
  /** Takes in what another process has written. Gives the ids of conversations whose summary in the list is another. */
  hearNews(news: StoreNews): Promise<readonly string[]> {
    return this.#others.hearNews(news)
  }
  /** Reads on in all conversations that somebody follows: news of the store may have been missed. */
  catchUpFollowed(): Promise<void> {
    return this.#others.catchUpFollowed()
  }
  /** Goes on here with turns that were answered, where their process is gone. */
  takeOverAnswered(conversation: OpenConversation): void {
    this.#others.takeOverAnswered(conversation)
  }
  /** Has a turn of the engine's in this process, to be acted on. */
  async resumeHere(conversation: OpenConversation, turnId: string): Promise<void> {
    await this.#engine?.resumeHere(conversation, turnId)
  }
  /** Gives what wakes the engine for the turns of a conversation once that is deleted. */
  async wakeAfterDeletion(id: string): Promise<(() => Promise<void>) | undefined> {
    return this.#engine?.wakeAfterDeletion(id)
  }

  /** Makes a conversation. Two callers that make the same one at the same time make it once. */
  async make(id: string, made: MadeConversation): Promise<OpenConversation> {
    const { index } = this.#options
    const known = this.#open.get(id)
    // A conversation that another process has deleted is dropped here, and made again.
    if (known) await this.#others.catchUp(known)
    const conversation = await this.#once(id, async () => {
      const { owner, title, messages } = made
      const entry: IndexEntry = { owner, createdAt: Date.now(), ...(title ? { title } : {}) }
      await index.put(id, entry)
      return this.#begin(id, entry, messages ?? [])
    })
    // A caller that shared a read which began before the deletion was given the deleted conversation.
    return (await index.isServerMade(id)) ? conversation : this.make(id, made)
  }
  /** Opens a conversation that is new, with the history that it begins with. */
  async #begin(id: string, entry: IndexEntry, messages: readonly NewMessage[]): Promise<OpenConversation> {
    const { agent, store } = this.#options
    const handle = await agent.open(id)
    if (!messages.length) return this.#add(handle, entry, [], 'opened')
    const given = agent.conversation({ id, messages })
    await given.kept()
    return this.#add(given, entry, (await store?.events(id)) ?? [], 'opened')
  }
  /** Shares the read that is under way, or gives the conversation that was opened since the caller looked. */
  async #once(id: string, read: () => Promise<OpenConversation>): Promise<OpenConversation> {
    const open = this.#open.get(id)
    const reading = this.#reading.get(id) ?? (open && !open.log.mustReadOn ? open : read())
    if (reading instanceof OpenConversation) return reading
    this.#reading.set(id, reading)
    try {
      return await reading
    } finally {
      this.#reading.delete(id)
    }
  }

  /** The conversation as its log is now; `undefined` where another process has deleted it. */
  async current(conversation: OpenConversation): Promise<OpenConversation | undefined> {
    await this.#others.catchUp(conversation)
    const current = await this.load(conversation.id)
    if (current) this.touch(current)
    return current
  }

  /** Closes a conversation that another process has deleted. */
  drop(id: string): void {
    const conversation = this.#open.get(id)
    if (!conversation) return
    conversation.log.happen('deleted')
    this.forget(conversation)
    this.#options.onNews({ type: 'deleted' }, conversation)
  }
  /** Tells that a conversation has another summary. */
  tellChanged(id: string): void {
    const conversation = this.#open.get(id)
    if (conversation) this.#options.onNews({ type: 'changed' }, conversation)
  }

  async findTurn(turnId: string): Promise<OpenConversation | undefined> {
    const known = this.#lookup.ofTurn(turnId)
    return known ? this.current(known) : this.#openCurrent(await this.#lookup.storedOfTurn(turnId))
  }
  async findRequest(requestId: string): Promise<OpenConversation | undefined> {
    const known = this.#lookup.ofRequest(requestId)
    const conversation = known
      ? await this.current(known)
      : await this.#openCurrent(await this.#lookup.storedOfRequest(requestId))
    return this.#lookup.ofRequest(requestId) ? conversation : undefined
  }
  /** The conversations that have open requests, in this process or in the store. */
  async withRequests(): Promise<readonly OpenConversation[]> {
    const ids = new Set((await this.#lookup.storedWithRequests()) ?? this.#open.keys())
    const found = await Promise.all([...ids].map(id => this.#openCurrent(id)))
    return found.filter(conversation => conversation !== undefined)
  }
  async #openCurrent(id: string | undefined): Promise<OpenConversation | undefined> {
    const conversation = id === undefined ? undefined : await this.load(id)
    return conversation && this.current(conversation)
  }

  /** Opens a conversation; one that is open and may be behind its log reads on first. */
  async load(id: string): Promise<OpenConversation | undefined> {
    const open = this.#open.get(id)
    if (open) return open.log.mustReadOn ? this.#once(id, () => this.#readOn(open)) : open
    const entry = await this.#options.index.find(id)
    if (!entry) return undefined
    return this.#open.has(id) ? this.load(id) : this.#once(id, () => this.#read(id, entry))
  }
  async #read(id: string, entry: FoundEntry): Promise<OpenConversation> {
    const { handle, events: log } = await readHandle(this.#options, id, () => 0)
    return this.#add(handle, entry, log, this.#left.take(id) ? 'openedWithLeftTurns' : 'opened')
  }
  async #readOn(conversation: OpenConversation): Promise<OpenConversation> {
    const { log } = conversation
    const { handle, events: missed } = await readHandle(this.#options, conversation.id, () => log.seq)
    if (this.#left.take(conversation.id)) log.happen('turnsAbandoned')
    log.readOn(handle, missed)
    return conversation
  }
  #add(
    handle: Conversation,
    { owner, createdAt, root }: FoundEntry,
    log: readonly Event[],
    happening: 'opened' | 'openedWithLeftTurns',
  ): OpenConversation {
    const { store, shared, report } = this.#options
    const conversation = new OpenConversation(handle, {
      shared,
      report,
      owner,
      createdAt,
      root,
      log,
      runner: this.#options.runner,
      catchUp: async () => void (await this.#others.catchUp(conversation)),
      read: store && (async after => store.events(handle.id, after)),
      resume: () => this.#left.resume(handle.id),
      onNews: (news, of) => this.#hear(news, of),
    })
    this.#open.set(conversation.id, conversation)
    for (const event of log) this.#lookup.note(conversation, event)
    conversation.log.happen(happening)
    for (const event of subAgentNews(this.#open, conversation.id)) conversation.log.feed.hear(event as Event)
    return conversation
  }

  #hear(news: ConversationNews, conversation: OpenConversation): void {
    switch (news.type) {
      case 'event':
        this.#lookup.note(conversation, news.event)
        if (news.event.seq === 1) void this.#learnBegin(conversation)
        return
      case 'subAgent':
        tellSubAgent(this.#open, news.event)
        return
      case 'rest':
        this.#letGoSoon()
        return
      case 'turnLost':
        this.#others.look(conversation)
        return
      case 'changed':
        this.#options.onNews(news, conversation)
        return
      default:
        news satisfies never
    }
  }
  /** Asks the store when the log of a conversation made here began. A store that fails is asked when it is opened again. */
  async #learnBegin(conversation: OpenConversation): Promise<void> {
    try {
      conversation.log.setBegunAt((await this.#options.store?.conversation(conversation.id))?.createdAt)
    } catch {}
  }

  /** Makes a conversation the last that was asked for. */
  touch(conversation: OpenConversation): void {
    if (this.#open.get(conversation.id) !== conversation) return
    this.#open.delete(conversation.id)
    this.#open.set(conversation.id, conversation)
    this.#letGoSoon()
  }
  /** Waits a tick: a caller that has just been given a conversation uses it first. */
  #letGoSoon(): void {
    const { store, keptIdle } = this.#options
    if (!store || this.#open.size <= keptIdle || this.#lettingGo) return
    this.#lettingGo = true
    setImmediate(() => {
      this.#lettingGo = false
      this.#letGo()
    })
  }
  /** Lets go of all unused conversations but the `keptIdle` that were asked for last. The store has them. */
  #letGo(): void {
    const unused = this.all.filter(one => one.isUnused && !this.#reading.has(one.id))
    for (const conversation of unused.slice(0, Math.max(0, unused.length - this.#options.keptIdle))) {
      conversation.log.happen('unused')
      if (conversation.log.lifecycle === 'letGo') this.forget(conversation)
    }
  }
  /** Takes a conversation out of the list; another that is open under the same id stays. */
  forget(conversation: OpenConversation): void {
    if (this.#open.get(conversation.id) === conversation) this.#open.delete(conversation.id)
    conversation.setAnswerWaits(false)
    this.#lookup.forget(conversation)
  }
}
