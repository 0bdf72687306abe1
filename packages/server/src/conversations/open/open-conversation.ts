import { isDeepStrictEqual } from 'node:util'
import { type Conversation, type Event, mayAnswer, type Turn, TurnbuckleError, textOf, type Use } from 'turnbuckle'
import type {
  ClosedRequest,
  ConversationSettings,
  ConversationSummary,
  ConversationView,
  WireConversation,
  WireHidden,
  WireRequest,
} from 'turnbuckle/client'
import type { CommandAnswer, SharedTurns, TurnCommand } from 'turnbuckle/stores'
import { isTurnbuckleError } from '../../base/is-turnbuckle-error.ts'
import { notFound } from '../../base/not-found.ts'
import type { Follower, Pace } from '../../feeds/event-feed.ts'
import type { SpanNews } from '../../inspector/inspector.ts'
import { type ConversationSettingsChange, changedSettings } from '../../settings/changed-settings.ts'
import { titleFromText } from '../stored/title-from-text.ts'
import { IdempotentStarts, type KeyTag, turnOfKey } from '../turns/idempotent-starts.ts'
import type { TurnRunner } from '../turns/turn-runner.ts'
import { type TurnInput, userMessage } from '../turns/user-message.ts'
import { type ConversationNews, FollowedLog, type FollowedLogOptions } from './followed-log.ts'
import { OrderedTurns } from './ordered-turns.ts'
import { wireNode } from './wire-node.ts'
import { subtree, withoutHidden } from './without-hidden.ts'

export interface OpenConversationOptions extends Omit<FollowedLogOptions, 'tellNews'> {
  readonly owner: string
  readonly createdAt: number
  /** Works on turns outside of this process. */
  readonly runner?: TurnRunner | undefined
  /** Reads events that other processes have added to the log. */
  readonly catchUp: () => Promise<void>
  readonly onNews: (news: ConversationNews, conversation: OpenConversation) => void
}

/** A conversation that is open in the server: its turns run here whether or not anybody follows. */
export class OpenConversation {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
  readonly log: FollowedLog
  readonly #tellNews: (news: ConversationNews) => void
  readonly #shared: SharedTurns
  readonly #starts = new IdempotentStarts<StartedTurn>()
  /** Turns that are given to an engine, where there is one. */
  readonly #ordered: OrderedTurns | undefined
  #updatedAt: number
  /** The title from the first message, once it was needed. */
  #titleFromText: string | undefined
  /** Calls that wait for the log to tell of what they did. */
  #callers = 0
  /** An answer given here belongs to a turn that no process works on yet. */
  #answerWaits = false

  constructor(
    handle: Conversation,
    { owner, createdAt, runner, catchUp, onNews, ...options }: OpenConversationOptions,
  ) {
    this.id = handle.id
    this.owner = owner
    this.createdAt = createdAt
    this.#updatedAt = options.log.findLast(isActivity)?.at ?? createdAt
    this.#tellNews = news => onNews(news, this)
    this.#shared = options.shared
    const tellNews = (news: ConversationNews) => {
      this.#tellNews(news)
      if (news.type === 'event') this.#noteEvent(news.event)
    }
    this.log = new FollowedLog(handle, { ...options, tellNews })
    this.#ordered = runner && new OrderedTurns(this.id, this.log, { runner, catchUp })
  }
  #noteEvent(event: Event): void {
    const { type, at } = event
    if (isActivity(event)) this.#updatedAt = at
    // Of what another process has written the summary changes once it is read.
    if (isListed(type) && !this.log.isHearingOthers) setImmediate(() => this.#tellNews({ type: 'changed' }))
  }
  get #view(): ConversationView {
    return this.log.view
  }
  get #handle(): Conversation {
    return this.log.head.handle
  }

  /** A turn runs, in this process or in another. */
  get isRunning(): boolean {
    return this.runningTurns.length > 0 || this.log.isAtWorkElsewhere
  }
  get isWatched(): boolean {
    return this.log.feed.isWatched
  }
  /** True where no follower, turn, start, caller or answer needs it in memory. */
  get isUnused(): boolean {
    return !this.isWatched && this.log.turns.isEmpty && this.#starts.isEmpty && !this.#callers && !this.#answerWaits
  }
  get answerWaits(): boolean {
    return this.#answerWaits
  }
  /** Keeps it open until the turn that was answered goes on, here or in another process. */
  setAnswerWaits(waits: boolean): void {
    this.#answerWaits = waits
  }
  /** Stays open for as long as a caller waits in `work`. */
  async #withCaller(work: () => Promise<void>): Promise<void> {
    this.#callers++
    try {
      await work()
    } catch (error) {
      // Its handle may be of no use any more: the next caller gets one that was just read.
      if (isTurnbuckleError(error) && error.kind === 'store') this.log.happen('fellBehind')
      throw error
    } finally {
      this.#callers--
      this.#tellNews({ type: 'rest' })
    }
  }

  /** Tells a span of a turn to its followers. Spans are not in the log. */
  tellSpan(turnId: string, news: SpanNews): void {
    const { feed } = this.log
    if (!feed.followers.size) return
    const common = { conversationId: this.id, turnId, at: Date.now() }
    if ('opened' in news) feed.tell({ type: 'trace.opened', ...common, span: news.opened })
    else feed.tell({ type: 'trace.span', ...common, span: news.ended })
  }
  /** Tells the events after a sequence number, then those that come. Returns a function that ends it. */
  follow(after: number, follower: Follower, pace?: Pace): () => void {
    const stop = this.log.feed.follow(after, follower, pace)
    this.log.followElsewhere()
    return () => {
      stop()
      this.log.followElsewhere()
      this.#tellNews({ type: 'rest' })
    }
  }

  /**
   * Starts a turn at the head, or at another message, on a branch. Resolves when that is durable. The log has the key
   * from the same moment on: the same key and body find the same turn, also after a crash. `use`: middleware of this turn alone.
   */
  start(input: TurnInput, by: string, givenKey?: string, use: readonly Use[] = []): Promise<StartedTurn> {
    if (givenKey === undefined) return this.#start(input, { by, use })
    // Two people who talk here may choose one key.
    const key = by === this.owner ? givenKey : JSON.stringify([by, givenKey])
    return this.#starts.start(
      { key, input, known: turnOfKey(this.#view.facts.turnTags, key) },
      known => this.#started(known.turnId),
      tag => this.#start(input, { by, use, tag }),
    )
  }
  /** A turn beside one of another process starts there: that one is the log's writer. Middleware for the turn alone is of this process. */
  async #start(input: TurnInput, options: StartOptions): Promise<StartedTurn> {
    const { by, use = [], tag } = options
    const isBeside = this.log.isAskable && !use.length && !this.#ordered
    const elsewhere = isBeside ? await this.#ask({ type: 'own.start', input, by, tag }) : undefined
    if (!elsewhere) return this.startHere(input, options)
    const started = elsewhere.value as StartedTurn
    await this.log.readOthers(started.seq)
    return started
  }
  /** Starts a turn in this process. */
  async startHere(input: TurnInput, { by, use = [], tag }: StartOptions): Promise<StartedTurn> {
    const parentId = this.#parentOf(input)
    if (parentId != null && parentId !== this.head) this.#checkShown(parentId)
    const message = 'text' in input ? userMessage(input) : undefined
    // Middleware of a turn alone is code, which no engine can carry: such a turn runs here.
    if (this.#ordered && !use.length)
      return this.#started(
        await this.#ordered.order({ message, parentId, tag, client: { id: by, name: by }, settings: this.settings }),
      )
    const handle = this.log.head.handleAt(parentId)
    const options = { tag, use, client: { id: by, name: by } }
    const turn = message ? handle.send(message, options) : handle.continue(options)
    this.log.adopt(turn, handle)
    await this.log.until(() => this.#view.turn(turn.id) !== undefined || turn.ended, turn.settled)
    if (!this.#view.turn(turn.id))
      throw (await turn.settled).error ?? new TurnbuckleError('server.closing', 'The server is closing. Send it again.')
    return this.#started(turn.id)
  }
  /** The message that a new turn begins behind: for another answer, the question of that answer. */
  #parentOf(input: TurnInput): string | null | undefined {
    if ('text' in input) return input.parentId
    if (!('regenerate' in input)) return undefined
    const nodes = new Map(this.#shownTree.map(node => [node.id, node]))
    let node = nodes.get(input.regenerate)
    while (node && node.message.role !== 'user') node = nodes.get(node.parentId ?? '')
    if (!node) throw notFound('message', input.regenerate)
    return node.id
  }
  async #started(turnId: string): Promise<StartedTurn> {
    return { turnId, seq: this.#view.turn(turnId)?.seq ?? this.log.seq }
  }

  /** Asks the process that works on a turn of this conversation. `undefined` where none does, or it does not answer. */
  async #ask(command: TurnCommand): Promise<CommandAnswer> {
    return this.log.isAskable ? this.#shared.ask(this.id, command) : undefined
  }
  /** Has another process interrupt its turn, or interject. False where none that works on the turn has answered. */
  async actElsewhere(turnId: string, act: TurnAct): Promise<boolean> {
    return this.log.mayRunElsewhere(turnId) && (await this.#ask({ ...act, turnId })) !== undefined
  }
  /** Interrupts a turn that runs here, or interjects. */
  act(turnId: string, act: TurnAct): void {
    const turn = this.#runningTurn(turnId)
    if (act.type === 'interrupt') turn.interrupt(act.reason)
    else turn.interject(act.text)
  }

  /** A turn that runs here. Throws `turn.ended` for one that is over, `conversation.locked` for one of another process. */
  #runningTurn(id: string): Turn {
    const turn = this.turn(id)
    if (turn && !turn.ended) return turn
    if (this.log.turnsElsewhere.some(one => one.id === id))
      throw new TurnbuckleError(
        'conversation.locked',
        'Another process, or an agent that called this one, works on that turn.',
      )
    throw new TurnbuckleError('turn.ended', 'The turn is over.')
  }
  /** A turn that runs here, or was one of the last that did. */
  turn(id: string): Turn | undefined {
    return this.log.turns.get(id)
  }
  get runningTurns(): readonly Turn[] {
    return this.log.turns.list
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
    const closed = this.#closedRequest(requestId)
    if (closed) throw refusal(closed)
  }
  #closedRequest(id: string): ClosedRequest | undefined {
    return this.#view.facts.closedRequests.get(id)
  }
  /** People whom requests of this conversation have named, closed ones included. */
  get askedPeople(): ReadonlySet<string> {
    return new Set([...this.#view.facts.askedPeople.values()].flat())
  }
  /** The open requests that name a person who has not voted there yet. */
  requestsTo(person: string): readonly WireRequest[] {
    return this.#view.requests.filter(({ to, voted }) => to?.includes(person) && !voted?.includes(person))
  }
  /** True for the owner, for people whom the request names, and where it names none for those who talk here; also where it is closed. */
  mayAnswer(requestId: string, by: string, talks: boolean): boolean {
    return mayAnswer({ to: this.#view.facts.askedPeople.get(requestId) }, { by, owner: this.owner, talks })
  }
  /** Takes an answer of a person, whom the caller knows by their token. */
  answer(
    requestId: string,
    answer: unknown,
    { by, talks }: { readonly by: string; readonly talks: boolean },
  ): Promise<void> {
    return this.#withCaller(async () => {
      this.checkOpen(requestId)
      const options = { by, talks, owner: this.owner }
      if (!(await this.#ask({ type: 'answer', requestId, answer, options })))
        await this.#handle.answer(requestId, answer, options)
      await this.log.until(() => this.#closedRequest(requestId) !== undefined)
      const kept = this.#closedRequest(requestId)
      // Another process may have answered the request first.
      const isOurs = kept?.by === by && isDeepStrictEqual(kept.decision, answer)
      if (kept && !isOurs) throw refusal(kept)
    })
  }

  /** Renames it, moves its head, or changes its own settings; resolves when the log has it. */
  change({ title, head, ...change }: ConversationChange): Promise<void> {
    return this.#withCaller(async () => {
      const settings = changedSettings(this.settings, change)
      if (!isDeepStrictEqual(settings, this.settings)) await this.#emit({ type: 'settings.changed', settings })
      if (head !== undefined && head !== this.head) {
        this.#checkShown(head)
        await this.#moveTo(head)
      }
      if (title !== undefined) await this.#rename(title)
    })
  }
  #rename(title: string): Promise<void> {
    return this.log.untilLogged('title.changed', async () => {
      if (await this.#ask({ type: 'rename', title })) return
      this.#handle.title = title
      await this.#handle.kept()
    })
  }
  #emit(event: OwnEvent): Promise<void> {
    return this.log.untilLogged(event.type, async () => {
      if (!(await this.#ask({ type: 'emit', event }))) await this.#handle.emit(event)
    })
  }
  async #moveTo(id: string | null): Promise<void> {
    const { seq } = this.log
    if (!(await this.#ask({ type: 'moveHead', to: id }))) return this.moveHere(id)
    await this.log.until(() => this.log.feed.since(seq).some(({ type }) => type === 'head.moved'))
  }
  /** Moves the head in this process. */
  moveHere(id: string | null): Promise<void> {
    return this.log.head.moveTo(id, work => this.log.untilLogged('head.moved', work))
  }

  /** Hides a message and everything below it. The log keeps them. */
  hide(messageId: string): Promise<void> {
    return this.#withCaller(async () => {
      const nodes = this.#shownTree
      const node = nodes.find(({ id }) => id === messageId)
      if (!node) throw notFound('message', messageId)
      const below = subtree(nodes, new Set([messageId]))
      const running = [...this.runningTurns, ...this.log.turnsElsewhere]
      if (running.some(({ id }) => below.has(this.#view.tip(id) ?? '')))
        throw new TurnbuckleError('turn.running', 'A turn is running below that message. Stop it first.')
      if (below.has(this.head ?? '')) await this.#moveTo(node.parentId ?? null)
      await this.#emit({ type: 'message.hidden', messageId })
    })
  }
  /** Takes hiding back: shows a message that was hidden, and everything below it that was not hidden by itself. */
  restore(messageId: string): Promise<void> {
    return this.#withCaller(async () => {
      if (!this.#view.facts.hiddenMessages.has(messageId)) throw notFound('message', messageId)
      await this.#emit({ type: 'message.restored', messageId })
    })
  }
  /** The messages that were hidden, each with the number of messages that went with it; not those inside another hidden one. */
  hidden(): WireHidden[] {
    const nodes = this.#handle.tree
    const { hiddenMessages } = this.#view.facts
    const shown = new Set(this.#shownTree.map(({ id }) => id))
    return nodes
      .filter(({ id, parentId }) => hiddenMessages.has(id) && (parentId == null || shown.has(parentId)))
      .map(({ id, message }) => ({
        messageId: id,
        text: textOf(message).slice(0, longestExcerpt),
        count: subtree(nodes, new Set([id])).size,
      }))
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

  get head(): string | null {
    return this.log.head.id
  }
  get title(): string {
    const { firstUserMessage } = this.#view.facts
    this.#titleFromText ??= firstUserMessage && titleFromText(textOf(firstUserMessage))
    return this.#handle.title ?? this.#titleFromText ?? ''
  }
  /** The settings that it has of its own, for its next turn. */
  get settings(): ConversationSettings {
    return this.#view.settings
  }
  /** The whole conversation as the wire has it. */
  view(): WireConversation {
    const { id, title, head, settings } = this
    const { turns, requests, wireCalls: calls } = this.#view
    const nodes = this.#shownTree.map(wireNode)
    const own = Object.keys(settings).length ? { settings } : {}
    return { id, title, head, seq: this.log.seq, at: Date.now(), nodes, turns, requests, calls, ...own }
  }
  summary(): ConversationSummary {
    const { id, title, head, createdAt, isRunning } = this
    const { usage } = this.#view.facts
    return {
      id,
      title,
      head,
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
    this.log.happen('deleted')
    await gone
  }
}

/** Characters that are told of a hidden message. */
const longestExcerpt = 200

/** Events that change the summary of a conversation. */
const isListed = (type: string): boolean => /^(turn\.|request\.|title\.)/.test(type)

/** A switched middleware does not move a conversation in the list. */
const isActivity = ({ type }: Event): boolean => type !== 'middleware.changed'

const refusal = ({ how, decision }: ClosedRequest): TurnbuckleError =>
  how === 'answered'
    ? new TurnbuckleError('request.answered', 'That was answered already.', { cause: decision })
    : new TurnbuckleError('request.expired', 'That question is over: nobody answered in time.')

interface ConversationChange extends ConversationSettingsChange {
  readonly title?: string | undefined
  readonly head?: string | undefined
}

interface StartOptions {
  readonly by: string
  readonly use?: readonly Use[]
  readonly tag?: KeyTag | undefined
}

/** Something that a person does to a running turn. */
export type TurnAct =
  | { readonly type: 'interrupt'; readonly reason?: string | undefined }
  | { readonly type: 'interject'; readonly text: string }

type OwnEvent = Parameters<Conversation['emit']>[0]

interface StartedTurn {
  readonly turnId: string
  readonly seq: number
}
