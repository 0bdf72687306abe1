import { isDeepStrictEqual } from 'node:util'
import { type Conversation, type Event, type Turn, TurnbuckleError, textOf } from 'turnbuckle'
import {
  type ClosedRequest,
  type ConversationSummary,
  ConversationView,
  type NewTurn,
  type WireConversation,
  type WireRequest,
  type WireTurn,
} from 'turnbuckle/client'
import { notFound } from '../base/not-found.ts'
import { EventFeed, type Follower, type Pace } from '../feeds/event-feed.ts'
import type { SpanNews } from '../inspector/inspector.ts'
import { ConversationHead } from './conversation-head.ts'
import {
  type ConversationLifecycle,
  type Happening,
  type LifecycleAction,
  mustReadOn,
  nextState,
} from './conversation-lifecycle.ts'
import { IdempotentStarts, type KeyTag, turnOfKey } from './idempotent-starts.ts'
import { lostTurn } from './lost-turn.ts'
import { RunningTurns } from './running-turns.ts'
import { titleFromText } from './title-from-text.ts'
import { userMessage } from './user-message.ts'
import { wireNode } from './wire-node.ts'
import { subtree, withoutHidden } from './without-hidden.ts'

/** Milliseconds that a call waits for the log to have what it did. */
const patience = 10_000

/** All that an open conversation tells the list of open ones, and that list the service. */
export type ConversationNews =
  /** The log has one more event. Told before any follower hears of it. */
  | { readonly type: 'event'; readonly event: Event }
  /** The conversation has another summary. */
  | { readonly type: 'changed' }
  /** A turn, a caller or a follower has left: it may be unused now. */
  | { readonly type: 'rest' }
  /** A turn does not run here any more, and the log has no end of it: another process works on it, or none. */
  | { readonly type: 'turnLost' }
  /** Another process has deleted it. */
  | { readonly type: 'deleted' }

export interface OpenConversationOptions {
  readonly owner: string
  readonly createdAt: number
  /** The events that the log had when it was read. */
  readonly log: readonly Event[]
  /** Reads the log's events after a sequence number. */
  readonly read?: ((after: number) => Promise<readonly Event[]>) | undefined
  /** Goes on with the unfinished turns of the log; `undefined` where the server is closing. */
  readonly resume: () => readonly Turn[] | undefined
  readonly onNews: (news: ConversationNews, conversation: OpenConversation) => void
}

/** A conversation that is open in the server: its turns run here whether or not anybody follows. */
export class OpenConversation {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
  #updatedAt: number
  #lifecycle: ConversationLifecycle = 'opening'
  readonly #feed: EventFeed
  readonly #view: ConversationView
  readonly #running = new RunningTurns()
  readonly #starts = new IdempotentStarts<Started>()
  readonly #head: ConversationHead
  readonly #resume: OpenConversationOptions['resume']
  readonly #tellNews: (news: ConversationNews) => void
  /** The handle that events are heard from: the last that was opened. */
  #heard: { readonly handle: Conversation; readonly stop: () => void }
  /** The title from the first message, once it was needed. */
  #titleFromText: string | undefined
  /** Calls that wait for the log to tell of what they did. */
  #callers = 0
  /** An answer given here belongs to a turn that no process works on yet. */
  #answerWaits = false
  /** The log's sequence number when a turn of it could not go on here. */
  #stuckAt: number | undefined
  /** When the store's log of it began: a log with another beginning is another conversation under the same id. */
  #begunAt: number | undefined

  constructor(handle: Conversation, { owner, createdAt, log, read, resume, onNews }: OpenConversationOptions) {
    this.id = handle.id
    this.owner = owner
    this.createdAt = createdAt
    this.#updatedAt = log.at(-1)?.at ?? createdAt
    this.#view = ConversationView.ofLog(handle.id)
    this.#head = new ConversationHead(handle, this.#view, this.#running)
    this.#resume = resume
    this.#tellNews = news => onNews(news, this)
    this.#feed = new EventFeed({ id: handle.id, view: this.#view, log, read, onEvent: event => this.#logged(event) })
    this.#heard = this.#listenTo(handle)
  }
  #listenTo(handle: Conversation): { readonly handle: Conversation; readonly stop: () => void } {
    const stop = handle.subscribe({
      event: event => {
        if (event.seq === undefined && 'by' in event && event.by === 'store') void this.#loseTurn(event)
        else this.#feed.hear(event)
      },
      delta: delta => this.#feed.hearDelta(delta),
    })
    return { handle, stop }
  }
  #logged(event: Event): void {
    this.#updatedAt = event.at
    this.#tellNews({ type: 'event', event })
    if (/^(turn\.|request\.|title\.)/.test(event.type)) setImmediate(() => this.#tellNews({ type: 'changed' }))
  }

  /** Moves on in the table of `conversation-lifecycle.ts`, and carries out the actions it names. */
  happen(happening: Happening): void {
    const { to, actions } = nextState(this.#lifecycle, happening)
    this.#lifecycle = to
    for (const action of actions) this.#act(action)
  }
  #act(action: LifecycleAction): void {
    switch (action) {
      case 'replaceIdleHandle':
        if (!this.isRunning) this.#head.beginAt(this.#heard.handle)
        return
      case 'replaceHandle':
        this.#head.beginAt(this.#heard.handle)
        return
      case 'forgetGrowingReplies':
        this.#view.forgetLive()
        return
      case 'resumeTurns':
        this.#resumeTurns()
        return
      case 'reportLostTurn':
        this.#tellNews({ type: 'turnLost' })
        return
      case 'stopListening':
        this.#heard.stop()
        return
      case 'tellDeleted':
        this.#feed.tell({ type: 'conversation.deleted', conversationId: this.id, at: Date.now() })
        this.#feed.followers.clear()
        return
      default:
        action satisfies never
    }
  }
  get lifecycle(): ConversationLifecycle {
    return this.#lifecycle
  }
  /** True where the rest of the log is read before anybody is given it. */
  get mustReadOn(): boolean {
    return mustReadOn(this.#lifecycle)
  }
  /** Takes in the events that the log has more, with a handle that was just opened. Followers and callers stay. */
  readOn(handle: Conversation, missed: readonly Event[]): void {
    this.#heard.stop()
    this.#heard = this.#listenTo(handle)
    for (const event of missed) this.#feed.hear(event)
    this.happen('readOn')
  }
  /** Acts on a turn's end that the log does not have. Where another process works on the turn, followers hear no end. */
  async #loseTurn(event: Event): Promise<void> {
    const { turnId = '' } = event
    this.happen('fellBehind')
    const { error } = (await this.turn(turnId)?.settled) ?? {}
    const { happening, isEnd, isStuck } = lostTurn(error, this.#view.turn(turnId) !== undefined)
    if (isStuck) this.#stuckAt = this.seq
    if (isEnd) this.#feed.hear(event)
    this.happen(happening)
  }
  #resumeTurns(): void {
    const turns = this.#resume()
    for (const turn of turns ?? []) this.adopt(turn)
    if (turns) this.#tellNews({ type: 'changed' })
  }

  get seq(): number {
    return this.#feed.seq
  }
  get begunAt(): number | undefined {
    return this.#begunAt
  }
  /** Keeps the first time that is given. */
  setBegunAt(at: number | undefined): void {
    this.#begunAt ??= at
  }
  get isRunning(): boolean {
    return this.runningTurns.length > 0
  }
  /** True while this process is the one that writes to the log. */
  get isWriting(): boolean {
    return this.#running.hasBegun
  }
  /** True where no follower, turn, start, caller or answer needs it in memory. */
  get isUnused(): boolean {
    return !this.isWatched && this.#running.isEmpty && this.#starts.isEmpty && !this.#callers && !this.#answerWaits
  }
  /** True where a turn cannot go on here for as long as the log has no more events. */
  get isStuck(): boolean {
    return this.#stuckAt === this.seq
  }
  get isWatched(): boolean {
    return this.#feed.isWatched
  }
  /** Unfinished turns of the log that do not run here. */
  get turnsElsewhere(): readonly WireTurn[] {
    const here = new Set(this.runningTurns.map(({ id }) => id))
    return this.#view.turns.filter(({ id, status }) => status === 'running' && !here.has(id))
  }
  get answerWaits(): boolean {
    return this.#answerWaits
  }
  /** Keeps it open until the turn that was answered goes on, here or in another process. */
  setAnswerWaits(waits: boolean): void {
    this.#answerWaits = waits
  }

  /** Tells a span of a turn to its followers. Spans are not in the log. */
  tellSpan(turnId: string, news: SpanNews): void {
    if (!this.#feed.followers.size) return
    const common = { conversationId: this.id, turnId, at: Date.now() }
    if ('opened' in news) this.#feed.tell({ type: 'trace.opened', ...common, span: news.opened })
    else this.#feed.tell({ type: 'trace.span', ...common, span: news.ended })
  }
  /** Tells the events after a sequence number, then those that come. Returns a function that ends it. */
  follow(after: number, follower: Follower, pace?: Pace): () => void {
    const stop = this.#feed.follow(after, follower, pace)
    return () => {
      stop()
      this.#tellNews({ type: 'rest' })
    }
  }
  /**
   * Starts a turn at the head, or at another message, on a branch. Resolves when that is durable. The log has the key
   * from the same moment on: the same key and body find the same turn, also after a crash.
   */
  start(input: NewTurn, key?: string): Promise<Started> {
    if (key === undefined) return this.#start(input)
    return this.#starts.start(
      { key, input, known: turnOfKey(this.#view.facts.turnTags, key) },
      known => this.#started(known.turnId),
      tag => this.#start(input, tag),
    )
  }
  async #start(input: NewTurn, tag?: KeyTag): Promise<Started> {
    const { parentId } = input
    if (parentId != null && parentId !== this.head) this.#checkShown(parentId)
    const handle = this.#head.handleAt(parentId)
    const turn = handle.send(userMessage(input), { tag })
    this.adopt(turn, handle)
    await this.#until(() => this.#view.turn(turn.id) !== undefined || turn.ended, turn.settled)
    if (!this.#view.turn(turn.id))
      throw (await turn.settled).error ?? new TurnbuckleError('server.closing', 'The server is closing. Send it again.')
    return this.#started(turn.id)
  }
  async #started(turnId: string): Promise<Started> {
    return { turnId, seq: this.#view.turn(turnId)?.seq ?? this.seq }
  }
  /** Takes a turn into its care: one that it started, or, without a handle, one that was resumed. */
  adopt(turn: Turn, handle?: Conversation): void {
    this.#head.moveWith(turn, handle)
    void this.#running.add(turn).then(() => this.#tellNews({ type: 'rest' }))
  }

  async #until(test: () => boolean, also?: Promise<unknown>): Promise<void> {
    if (await this.#feed.until(test, patience, also)) return
    this.happen('fellBehind')
    throw new TurnbuckleError('store.failed', 'The log was not written in time.')
  }

  get head(): string | null {
    return this.#head.id
  }
  get #handle(): Conversation {
    return this.#head.handle
  }
  /** The tree without hidden messages. */
  get #shownTree(): Conversation['tree'] {
    return withoutHidden(this.#handle.tree, this.#view.facts.hiddenMessages)
  }
  /** Throws `message.missing` for a hidden message: it may be neither head nor parent. */
  #checkShown(id: string): void {
    const { hiddenMessages } = this.#view.facts
    if (hiddenMessages.size && !this.#shownTree.some(node => node.id === id)) throw notFound('message', id)
  }

  /** A turn that runs here. Throws `turn.ended` for one that is over, `conversation.locked` for one of another process. */
  runningTurn(id: string): Turn {
    const turn = this.turn(id)
    if (turn && !turn.ended) return turn
    if (this.turnsElsewhere.some(one => one.id === id))
      throw new TurnbuckleError('conversation.locked', 'Another process works on that turn.')
    throw new TurnbuckleError('turn.ended', 'The turn is over.')
  }
  /** A turn that runs here, or was one of the last that did. */
  turn(id: string): Turn | undefined {
    return this.#running.get(id)
  }
  get runningTurns(): readonly Turn[] {
    return this.#running.list
  }
  get turnIds(): readonly string[] {
    return this.#view.turns.map(({ id }) => id)
  }
  /** Ids of open and closed requests. */
  get requestIds(): Iterable<string> {
    return this.#view.facts.requestIds
  }
  /** A request that waits for its answer. */
  request(id: string): WireRequest | undefined {
    return this.#view.requests.find(request => request.id === id)
  }
  /** Throws for a request that is closed, also where it was answered before a restart. */
  checkOpen(requestId: string): void {
    const closed = this.#view.facts.closedRequests.get(requestId)
    if (closed) throw refusal(closed)
  }
  answer(requestId: string, answer: unknown): Promise<void> {
    return this.#withCaller(() => this.#answer(requestId, answer))
  }
  async #answer(requestId: string, answer: unknown): Promise<void> {
    this.checkOpen(requestId)
    await this.#handle.answer(requestId, answer)
    await this.#until(() => this.#view.facts.closedRequests.get(requestId) !== undefined)
    const kept = this.#view.facts.closedRequests.get(requestId)
    // Another process may have answered the request first.
    if (kept && !(kept.how === 'answered' && isDeepStrictEqual(kept.decision, answer))) throw refusal(kept)
  }

  /** Stays open for as long as a caller waits in `work`. */
  async #withCaller(work: () => Promise<void>): Promise<void> {
    this.#callers++
    try {
      await work()
    } finally {
      this.#callers--
      this.#tellNews({ type: 'rest' })
    }
  }

  /** Renames it, or moves its head; resolves when the log has it. */
  change(given: ConversationChange): Promise<void> {
    return this.#withCaller(() => this.#change(given))
  }
  async #change({ title, head }: ConversationChange): Promise<void> {
    if (head !== undefined && head !== this.head) {
      this.#checkShown(head)
      await this.#moveTo(head)
    }
    if (title === undefined) return
    await this.#untilLogged('title.changed', () => {
      this.#handle.title = title
      return this.#handle.kept()
    })
  }
  /** Does something, and waits until the log has an event of that type. */
  async #untilLogged(type: string, work: () => Promise<void> | undefined): Promise<void> {
    const { seq } = this
    await work()
    await this.#until(() => this.#feed.since(seq).some(event => event.type === type))
  }
  #moveTo(id: string | null): Promise<void> {
    return this.#head.moveTo(id, work => this.#untilLogged('head.moved', work))
  }

  /** Hides a message and everything below it. The log keeps them. */
  hide(messageId: string): Promise<void> {
    return this.#withCaller(() => this.#hide(messageId))
  }
  async #hide(messageId: string): Promise<void> {
    const nodes = this.#shownTree
    const node = nodes.find(({ id }) => id === messageId)
    if (!node) throw notFound('message', messageId)
    const below = subtree(nodes, new Set([messageId]))
    if (this.runningTurns.some(({ id }) => below.has(this.#view.tip(id) ?? '')))
      throw new TurnbuckleError('turn.running', 'A turn is running below that message. Stop it first.')
    if (below.has(this.head ?? '')) await this.#moveTo(node.parentId ?? null)
    await this.#untilLogged('message.hidden', () => this.#handle.emit({ type: 'message.hidden', messageId }))
  }

  /** The whole conversation as the wire has it. */
  view(): WireConversation {
    const nodes = this.#shownTree.map(wireNode)
    return {
      id: this.id,
      title: this.title,
      head: this.head,
      seq: this.seq,
      at: Date.now(),
      nodes,
      turns: this.#view.turns,
      requests: this.#view.requests,
      calls: this.#view.wireCalls,
    }
  }
  get title(): string {
    return this.#handle.title ?? this.#firstTitle ?? ''
  }
  get #firstTitle(): string | undefined {
    const { firstUserMessage } = this.#view.facts
    this.#titleFromText ??= firstUserMessage && titleFromText(textOf(firstUserMessage))
    return this.#titleFromText
  }
  summary(): ConversationSummary {
    const { id, title, createdAt, isRunning } = this
    const { usage } = this.#view.facts
    return {
      id,
      title,
      head: this.head,
      createdAt,
      updatedAt: this.#updatedAt,
      usage,
      ...(usage.cost === undefined ? {} : { cost: usage.cost }),
      running: isRunning,
      waiting: this.#view.requests.length,
    }
  }

  /** Interrupts its turns and deletes its log. Followers hear of it at once. */
  async delete(): Promise<void> {
    const gone = this.#handle.delete()
    this.happen('deleted')
    await gone
  }
}

const refusal = ({ how, decision }: ClosedRequest): TurnbuckleError =>
  how === 'answered'
    ? new TurnbuckleError('request.answered', 'That was answered already.', { cause: decision })
    : new TurnbuckleError('request.expired', 'That question is over: nobody answered in time.')

interface ConversationChange {
  readonly title?: string | undefined
  readonly head?: string | undefined
}

interface Started {
  readonly turnId: string
  readonly seq: number
}
