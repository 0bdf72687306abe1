import type { Agent, Conversation, Event, NewMessage, Turn } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { CommandAnswer, ConversationStore, SharedTurns, StoreNews, TurnCommand } from 'turnbuckle/stores'
import { type SubAgentEvent, unloggedOf } from '../../feeds/sub-agent-events.ts'
import { EngineTurns } from '../elsewhere/engine-turns.ts'
import { OtherProcesses } from '../elsewhere/other-processes.ts'
import type { ConversationIndex, IndexEntry } from '../stored/conversation-index.ts'
import type { KeyTag } from '../turns/idempotent-starts.ts'
import type { TurnRunner } from '../turns/turn-runner.ts'
import type { TurnInput } from '../turns/user-message.ts'
import type { ConversationNews } from './followed-log.ts'
import { OpenConversation } from './open-conversation.ts'

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
}

interface MadeConversation {
  readonly owner: string
  readonly title?: string | undefined
  /** The history that it begins with. */
  readonly messages?: readonly NewMessage[] | undefined
}

/** How often a log is read again that another process has written to meanwhile. */
const mostTries = 5

interface ReadHandle {
  readonly handle: Conversation
  readonly events: readonly Event[]
}

type StartCommand = { readonly input: TurnInput; readonly by: string; readonly tag?: KeyTag }

/** The conversations that are open in this process: each once, for as long as a follower, turn or caller needs it. */
export class OpenConversations {
  /** Where an engine runs turns outside of this process. */
  readonly engine: EngineTurns | undefined
  readonly #options: OpenConversationsOptions
  readonly #others: OtherProcesses
  /** By id; the last in the map is the last that was asked for. */
  readonly #open = new Map<string, OpenConversation>()
  /** Reads of a log that are under way, by conversation: two callers share one. */
  readonly #reading = new Map<string, Promise<OpenConversation>>()
  readonly #byTurn = new Map<string, OpenConversation>()
  readonly #byRequest = new Map<string, OpenConversation>()
  /** Ids of conversations that are not open and have turns which a process has left: opening one resumes them. */
  readonly #withLeftTurns = new Set<string>()
  #lettingGo = false
  #closing = false

  constructor(options: OpenConversationsOptions) {
    this.#options = options
    const { agent, store, runner } = options
    this.engine = store && runner && new EngineTurns({ agent, store, runner })
    this.#others = new OtherProcesses({
      ...options,
      isOpen: conversation => this.#isOpen(conversation),
      isClosing: () => this.#closing,
      load: id => this.load(id),
      takeOver: conversation => this.#takeOver(conversation),
      drop: conversation => this.#drop(conversation),
    })
  }

  /** A conversation that is open now. */
  get(id: string): OpenConversation | undefined {
    return this.#open.get(id)
  }
  /** The conversation that is open now and has this turn. */
  ofTurn(turnId: string): OpenConversation | undefined {
    return this.#byTurn.get(turnId)
  }
  /** True where turns that a process has left are about to go on here. */
  willResume(id: string): boolean {
    return this.#withLeftTurns.has(id) || this.#open.get(id)?.log.lifecycle === 'takingOver'
  }
  #isOpen(conversation: OpenConversation): boolean {
    return this.#open.get(conversation.id) === conversation
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
  /** Lets a turn go on that was answered here and runs nowhere. */
  takeOverAnswered(conversation: OpenConversation): void {
    if (this.engine) this.engine.wakeSoon(conversation.id)
    else this.#others.takeOverAnswered(conversation)
  }
  /** A conversation that was let go of meanwhile takes its turns over when it is opened again, at once. */
  async #takeOver(conversation: OpenConversation): Promise<void> {
    if (this.engine) return this.engine.wake(conversation.id)
    if (this.#isOpen(conversation)) conversation.log.happen('turnsAbandoned')
    else this.#withLeftTurns.add(conversation.id)
    await this.load(conversation.id)
  }
  #drop(conversation: OpenConversation): void {
    conversation.log.happen('deleted')
    this.forget(conversation)
    this.#options.onNews({ type: 'deleted' }, conversation)
  }

  async findTurn(turnId: string): Promise<OpenConversation | undefined> {
    const known = this.#byTurn.get(turnId)
    return known ? this.current(known) : this.#openCurrent(await this.#conversationOfTurn(turnId))
  }
  async findRequest(requestId: string): Promise<OpenConversation | undefined> {
    const known = this.#byRequest.get(requestId)
    const conversation = known
      ? await this.current(known)
      : await this.#openCurrent(await this.#conversationOfRequest(requestId))
    return this.#byRequest.has(requestId) ? conversation : undefined
  }
  async #openCurrent(id: string | undefined): Promise<OpenConversation | undefined> {
    const conversation = id === undefined ? undefined : await this.load(id)
    return conversation && this.current(conversation)
  }
  async #conversationOfTurn(turnId: string): Promise<string | undefined> {
    const [row] = (await this.#options.store?.turns({ id: turnId })) ?? []
    return row?.conversation
  }
  async #conversationOfRequest(id: string): Promise<string | undefined> {
    const { store } = this.#options
    const [open] = (await store?.requests({ id })) ?? []
    const [row] = open ? [open] : ((await store?.requests({ id, closed: true })) ?? [])
    return row?.conversation
  }

  /** The conversations that have open requests, in this process or in the store. */
  async withRequests(): Promise<readonly OpenConversation[]> {
    const { store } = this.#options
    const kept = (await store?.requests())?.map(({ conversation }) => conversation)
    const ids = new Set(kept ?? this.#open.keys())
    const found = await Promise.all([...ids].map(id => this.#openCurrent(id)))
    return found.filter(conversation => conversation !== undefined)
  }

  /** Opens a conversation; one that is open and may be behind its log reads on first. */
  async load(id: string): Promise<OpenConversation | undefined> {
    const open = this.#open.get(id)
    if (open) return open.log.mustReadOn ? this.#once(id, () => this.#readOn(open)) : open
    const entry = await this.#options.index.find(id)
    if (!entry) return undefined
    return this.#open.has(id) ? this.load(id) : this.#once(id, () => this.#read(id, entry))
  }
  async #read(id: string, entry: IndexEntry): Promise<OpenConversation> {
    const { handle, events: log } = await this.#readHandle(id, () => 0)
    return this.#add(handle, entry, log, this.#withLeftTurns.delete(id) ? 'openedWithLeftTurns' : 'opened')
  }
  async #readOn(conversation: OpenConversation): Promise<OpenConversation> {
    const { log } = conversation
    const { handle, events: missed } = await this.#readHandle(conversation.id, () => log.seq)
    if (this.#withLeftTurns.delete(conversation.id)) log.happen('turnsAbandoned')
    log.readOn(handle, missed)
    return conversation
  }
  /**
   * A handle, and the log's events after a number, of one moment, unless another process writes faster than this one reads. The events come
   * first: a handle that knows less than the view would refuse what people see.
   */
  async #readHandle(id: string, after: () => number): Promise<ReadHandle> {
    const { agent, store } = this.#options
    for (let tries = 1; ; tries++) {
      const events = (await store?.events(id, after())) ?? []
      const last = events.at(-1)?.seq ?? after()
      const handle = await agent.open(id)
      await handle.load()
      const now = store?.channel ? ((await store.conversation(id))?.seq ?? 0) : last
      if (now <= last || tries === mostTries) return { handle, events }
    }
  }
  #add(
    handle: Conversation,
    { owner, createdAt }: IndexEntry,
    log: readonly Event[],
    happening: 'opened' | 'openedWithLeftTurns',
  ): OpenConversation {
    const { store, shared } = this.#options
    const conversation = new OpenConversation(handle, {
      shared,
      owner,
      createdAt,
      log,
      runner: this.#options.runner,
      catchUp: async () => void (await this.#others.catchUp(conversation)),
      read: store && (async after => store.events(handle.id, after)),
      resume: () => this.#resumeTurns(handle.id),
      onNews: (news, of) => this.#hear(news, of),
    })
    this.#open.set(conversation.id, conversation)
    for (const event of log) this.#place(conversation, event)
    conversation.log.happen(happening)
    for (const event of this.#heardByCaller(conversation)) conversation.log.feed.hear(event as Event)
    return conversation
  }
  #resumeTurns(id: string): readonly Turn[] | undefined {
    if (this.#closing) return undefined
    if (this.engine) {
      this.engine.wakeSoon(id)
      return []
    }
    const { agent } = this.#options
    const turns: Turn[] = []
    for (let turn = agent.resume(id); turn; turn = agent.resume(id)) turns.push(turn)
    return turns
  }

  #hear(news: ConversationNews, conversation: OpenConversation): void {
    switch (news.type) {
      case 'event':
        this.#place(conversation, news.event)
        if (news.event.seq === 1) void this.#learnBegin(conversation)
        return
      case 'subAgent':
        this.#passDown(news.event)
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
  /** Tells followers of a sub-agent's own conversation what its caller hears of it: text that grows is in no log. */
  #passDown({ agentConversationId, event }: SubAgentEvent): void {
    const log = this.#open.get(agentConversationId)?.log
    log?.feed.hear(event)
    // Its handle is not the one that the sub-agent writes with: the next caller reads the tree anew.
    if (event.seq !== undefined) log?.happen('fellBehind')
    if (event.type === 'agent.event') this.#passDown(event)
  }
  /** What an open caller has heard of the sub-agent whose conversation this is, and its log does not have. */
  #heardByCaller({ id, log: { view } }: OpenConversation): readonly WireEvent[] {
    const { nodes } = view.state
    for (const { log } of this.#open.values()) {
      const heard = unloggedOf({ events: log.feed.subAgentEvents, agents: log.view.agents }, id, Date.now())
      // The log may have the whole message by now.
      if (heard) return heard.filter(event => !('messageId' in event && nodes.has(event.messageId)))
    }
    return []
  }
  #place(conversation: OpenConversation, event: Event): void {
    if (event.type === 'turn.started' && event.turnId) this.#byTurn.set(event.turnId, conversation)
    if (event.type === 'request.opened') this.#byRequest.set(event.requestId, conversation)
  }
  /** Asks the store when the log of a conversation made here began. A store that fails is asked when it is opened again. */
  async #learnBegin(conversation: OpenConversation): Promise<void> {
    try {
      conversation.log.setBegunAt((await this.#options.store?.conversation(conversation.id))?.createdAt)
    } catch {}
  }

  /** Makes a conversation the last that was asked for. */
  touch(conversation: OpenConversation): void {
    if (!this.#isOpen(conversation)) return
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
    const unused = [...this.#open.values()].filter(one => one.isUnused && !this.#reading.has(one.id))
    for (const conversation of unused.slice(0, Math.max(0, unused.length - this.#options.keptIdle))) {
      conversation.log.happen('unused')
      if (conversation.log.lifecycle === 'letGo') this.forget(conversation)
    }
  }
  /** Takes a conversation out of the maps; another that is open under the same id stays. */
  forget(conversation: OpenConversation): void {
    const forgetIn = (map: Map<string, OpenConversation>, id: string) => {
      if (map.get(id) === conversation) map.delete(id)
    }
    forgetIn(this.#open, conversation.id)
    conversation.setAnswerWaits(false)
    for (const id of conversation.turnIds) forgetIn(this.#byTurn, id)
    for (const id of conversation.requestIds) forgetIn(this.#byRequest, id)
  }

  /** Takes in what is new in the store. Gives the ids of listed conversations that have changed and are not open here. */
  async hearNews(news: StoreNews): Promise<readonly string[]> {
    if (news.type === 'set') return []
    const open = this.#open.get(news.conversation)
    if (news.type === 'deleted') await (open && this.#others.catchUp(open))
    else if (open) await this.#hearWritten(open, news)
    else if (news.isListed) return [news.conversation]
    return []
  }
  async #hearWritten(conversation: OpenConversation, news: Extract<StoreNews, { type: 'written' }>): Promise<void> {
    const { log } = conversation
    if (log.isWriting) return
    log.setHeld(!news.isReleased)
    const before = log.seq
    await log.readOthers(news.seq ?? 0)
    if (news.isReleased) this.#others.look(conversation)
    // The summary has the title and the head, which the handle knows.
    if (!news.isListed || log.seq === before || !this.#isOpen(conversation)) return
    await this.load(conversation.id)
    this.#options.onNews({ type: 'changed' }, conversation)
  }
  /** News of the store may have been missed: conversations that somebody follows are compared with it. */
  async catchUpFollowed(): Promise<void> {
    const followed = [...this.#open.values()].filter(({ isWatched }) => isWatched)
    for (const conversation of followed) await this.#others.catchUp(conversation)
  }
  /** Obeys a command of another process whose effect goes beyond a turn's handle. */
  obey(id: string, command: TurnCommand): Promise<CommandAnswer> | undefined {
    const conversation = this.#open.get(id)
    if (!conversation) return undefined
    if (command.type === 'moveHead') return conversation.moveHere(command.to).then(() => ({ value: null }))
    if (command.type !== 'own.start') return undefined
    const { input, by, tag } = command as unknown as StartCommand
    return conversation.startHere(input, { by, tag }).then(value => ({ value }))
  }

  /** Finds turns that the last process left in conversations that a server made; a terminal's turns are left to it. */
  async findLeftTurns(): Promise<void> {
    const { store, index } = this.#options
    // The engine goes on with them.
    if (this.engine) return
    for (const { conversation } of (await store?.turns({ status: 'open' })) ?? [])
      if (!this.#withLeftTurns.has(conversation) && (await index.isServerMade(conversation)))
        this.#withLeftTurns.add(conversation)
  }
  /** Opens each conversation with left turns, which resumes them. One that fails is reported and does not stop the others. */
  async resumeLeftTurns(report: (error: unknown) => void): Promise<void> {
    for (const id of this.#withLeftTurns)
      await this.load(id).catch(error => {
        if (!this.#closing) report(error)
      })
  }
  /**
   * Goes on with turns whose process is gone, also where nobody follows their conversations. A turn whose process lives, or that
   * is stuck here, is left alone. One that fails is reported and does not stop the others.
   */
  async takeOverLeftTurns(report: (error: unknown) => void): Promise<void> {
    const left = (await this.#options.store?.turns({ status: 'open' })) ?? []
    for (const id of new Set(left.map(({ conversation }) => conversation))) {
      if (this.#closing) return
      await this.#takeOverLeft(id).catch(report)
    }
  }
  async #takeOverLeft(id: string): Promise<void> {
    const { store, index } = this.#options
    const open = this.#open.get(id)
    if (open) return this.#others.catchUp(open)
    const row = await store?.conversation(id)
    if (!row || row.held || !(await index.isServerMade(id)) || this.#closing) return
    if (this.engine) return this.engine.wake(id)
    this.#withLeftTurns.add(id)
    await this.load(id)
  }
  /** Begins no turn any more. */
  close(): void {
    this.#closing = true
    this.#withLeftTurns.clear()
  }
}
