import { isDeepStrictEqual } from 'node:util'
import { type Conversation, type Event, type Turn, TurnbuckleError } from 'turnbuckle'
import type { ConversationSummary, NewTurn, WireConversation, WireRequest, WireTurn } from 'turnbuckle/client'
import { isOurs, missing } from './failure.ts'
import { Feed, type Follower, type Pace } from './feed.ts'
import { Head } from './head.ts'
import { Hidden, subtree } from './hidden.ts'
import type { News } from './inspector.ts'
import { KeyedStarts } from './keyed-starts.ts'
import { type Closed, type Tag, Turns } from './turns.ts'
import { messageOf, wireNode } from './wire.ts'
import { Working } from './working.ts'

const patience = 10_000
/** How a turn ends here that another process works on, has ended, or has deleted. */
const endsElsewhere = ['turn.ended', 'store.fenced', 'conversation.locked', 'conversation.deleted']

export interface RoomOptions {
  readonly owner: string
  readonly createdAt: number
  /** What was recorded before this process. */
  readonly log: readonly Event[]
  /** Reads the log from after a number on. */
  readonly read?: ((after: number) => Promise<readonly Event[]>) | undefined
  /** Told of every event, before any follower. */
  readonly onEvent: (room: Room, event: Event) => void
  /** A turn has ended: it may be of no use to anyone any more. */
  readonly onRest: () => void
  /** A turn does not run here any more, and the log has no end of it: another process works on it, or nobody. */
  readonly onLost: () => void
}

/** One conversation that is open in the server: its turns run here, whoever watches. */
export class Room {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
  updatedAt: number
  readonly #feed: Feed
  readonly #turns = new Turns()
  readonly #working = new Working()
  readonly #hidden = new Hidden()
  readonly #starts = new KeyedStarts<Started>()
  readonly #head: Head
  #leave: () => void
  readonly #onRest: () => void
  readonly #onLost: () => void
  /** `behind`: the log may have more. `broken`: it could not be written to, and the handles here are of no use any more. */
  #standing: 'current' | 'behind' | 'broken' = 'current'
  /** A turn that had begun was cut off, because the log could not be written to. It goes on when this has read on. */
  cutOff = false
  /** How many wait for the log to tell of what they do. */
  #waiting = 0
  /** How far the log was when a turn of it could not go on here. */
  #stuckAt: number | undefined
  /** When the log was begun, once it is known: another time, and it is another one. */
  begunAt: number | undefined
  constructor(chat: Conversation, options: RoomOptions) {
    const { owner, createdAt, log, read, onEvent, onRest, onLost } = options
    this.id = chat.id
    this.owner = owner
    this.createdAt = createdAt
    this.updatedAt = log.at(-1)?.at ?? createdAt
    this.#head = new Head(chat, this.#turns, this.#working)
    this.#onRest = onRest
    this.#onLost = onLost
    for (const event of log) this.#project(event, event.at)
    this.#feed = new Feed({
      id: chat.id,
      log,
      read,
      onEvent: event => {
        this.updatedAt = event.at
        this.#project(event, Date.now())
        onEvent(this, event)
      },
    })
    this.#leave = this.#listen(chat)
  }
  #listen(chat: Conversation): () => void {
    return chat.subscribe({
      event: event => {
        if (event.seq === undefined && 'by' in event && event.by === 'store') void this.#unkept(event)
        else this.#feed.hear(event)
      },
      delta: delta => this.#feed.hearDelta(delta),
    })
  }

  get seq(): number {
    return this.#feed.seq
  }
  get running(): boolean {
    return this.turnsRunning.length > 0
  }
  /** This process is the one that writes to the log. */
  get writes(): boolean {
    return this.#working.begun.length > 0
  }
  /** Nobody follows it or waits in it, nothing runs here. */
  get idle(): boolean {
    return !this.watched && this.#working.none && this.#starts.none && !this.#waiting
  }
  /** A turn cannot go on here as the log stands. */
  get stuck(): boolean {
    return this.#stuckAt === this.seq
  }
  /** It reads on before anyone is given it. */
  get stale(): boolean {
    return this.#standing !== 'current'
  }
  fallBehind(): void {
    if (this.#standing === 'current') this.#standing = 'behind'
  }
  /** Turns that another process works on, by what is known here. */
  get elsewhere(): readonly WireTurn[] {
    const here = new Set(this.turnsRunning.map(({ id }) => id))
    return this.#turns.list.filter(({ id, status }) => status === 'running' && !here.has(id))
  }
  get watched(): boolean {
    return this.#feed.watched
  }

  /** The log does not have the end of this turn. Where another process works on it, that is no end, and nobody is told. */
  async #unkept(event: Event): Promise<void> {
    const { turnId = '' } = event
    this.fallBehind()
    const { error } = (await this.turn(turnId)?.settled) ?? {}
    const code = isOurs(error) ? error.code : ''
    if (code !== 'conversation.locked') this.#standing = 'broken'
    if (!endsElsewhere.includes(code)) {
      if (!mayGoOn(error)) this.#stuckAt = this.seq
      else this.cutOff ||= this.#turns.startedAt(turnId) !== undefined
      this.#feed.hear(event)
    }
    if (!this.cutOff) this.#onLost()
  }
  /** Whoever follows or waits goes on doing so. `chat`: a handle as the store has it; `missed`: what the log has more. */
  readOn(chat: Conversation, missed: readonly Event[]): void {
    this.#leave()
    this.#leave = this.#listen(chat)
    const broken = this.#standing === 'broken'
    if (broken || !this.running) this.#head.beginAt(chat)
    if (broken) this.#feed.forgetText()
    this.#standing = 'current'
    this.cutOff = false
    for (const event of missed) this.#feed.hear(event)
  }
  #project(event: Event, at: number): void {
    this.#turns.add(event, at)
    if ((event.type as string) === 'message.hidden')
      this.#hidden.add((event as unknown as { messageId: string }).messageId)
  }
  /** Not in the log: told to whoever watches now. */
  trace(turnId: string, news: News): void {
    if (!this.#feed.followers.size) return
    const common = { conversationId: this.id, turnId, at: Date.now() }
    if ('opened' in news) this.#feed.tell({ type: 'trace.opened', ...common, span: news.opened })
    else this.#feed.tell({ type: 'trace.span', ...common, span: news.ended })
  }
  follow(after: number, follower: Follower, pace?: Pace): () => void {
    const stop = this.#feed.follow(after, follower, pace)
    return () => {
      stop()
      this.#onRest()
    }
  }
  /**
   * Starts a turn at the head, or at another message, on a branch. Resolves when that is durable. The log has the key
   * from the same moment on: the same key and body find the same turn, also after a crash.
   */
  start(input: NewTurn, key?: string): Promise<Started> {
    if (key === undefined) return this.#start(input)
    return this.#starts.start(
      { key, input, known: this.#turns.tagged(key) },
      known => this.#started(known.turnId),
      tag => this.#start(input, tag),
    )
  }
  async #start(input: NewTurn, tag?: Tag): Promise<Started> {
    const { parentId } = input
    if (parentId != null && parentId !== this.head) this.#checkShown(parentId)
    const handle = this.#head.handleAt(parentId)
    const turn = handle.send(messageOf(input), { tag })
    this.adopt(turn, handle)
    await this.#until(() => this.#turns.startedAt(turn.id) !== undefined || turn.ended, turn.settled)
    if (this.#turns.startedAt(turn.id) === undefined)
      throw (await turn.settled).error ?? new TurnbuckleError('server.closing', 'The server is closing. Send it again.')
    return this.#started(turn.id)
  }
  async #started(turnId: string): Promise<Started> {
    return { turnId, seq: this.#turns.startedAt(turnId) ?? this.seq }
  }
  /** Takes a turn into its care: one it started, or one that goes on after a restart. */
  adopt(turn: Turn, handle?: Conversation): void {
    this.#head.goWith(turn, handle)
    void this.#working.add(turn).then(() => this.#onRest())
  }

  async #until(test: () => boolean, also?: Promise<unknown>): Promise<void> {
    if (await this.#feed.until(test, patience, also)) return
    this.fallBehind()
    throw new TurnbuckleError('store.failed', 'The log was not written in time.')
  }

  get head(): string | null {
    return this.#head.id
  }
  get #chat(): Conversation {
    return this.#head.chat
  }
  #checkShown(id: string): void {
    this.#hidden.check(() => this.#chat.tree, id)
  }

  /** A turn that runs. One that ended is refused with `turn.ended`, one that runs elsewhere with `conversation.locked`. */
  runningTurn(id: string): Turn {
    const turn = this.turn(id)
    if (turn && !turn.ended) return turn
    if (this.elsewhere.some(one => one.id === id))
      throw new TurnbuckleError('conversation.locked', 'Another process works on that turn.')
    throw new TurnbuckleError('turn.ended', 'The turn is over.')
  }
  turn(id: string): Turn | undefined {
    return this.#working.get(id)
  }
  get turnsRunning(): readonly Turn[] {
    return this.#working.running
  }
  get turnIds(): readonly string[] {
    return this.#turns.list.map(({ id }) => id)
  }
  get requestIds(): readonly string[] {
    return this.#turns.requestIds
  }
  request(id: string): WireRequest | undefined {
    return this.#turns.requests.find(request => request.id === id)
  }
  /** What was answered, also before a restart, stays answered. */
  checkOpen(requestId: string): void {
    const closed = this.#turns.closed(requestId)
    if (closed) throw refusal(closed)
  }
  answer(requestId: string, answer: unknown): Promise<void> {
    return this.#kept(() => this.#answer(requestId, answer))
  }
  async #answer(requestId: string, answer: unknown): Promise<void> {
    this.checkOpen(requestId)
    await this.#chat.answer(requestId, answer)
    await this.#until(() => this.#turns.closed(requestId) !== undefined)
    const kept = this.#turns.closed(requestId)
    // Another process may have been quicker.
    if (kept && !(kept.how === 'answered' && isDeepStrictEqual(kept.decision, answer))) throw refusal(kept)
  }

  /** It stays open for as long as somebody waits in it. */
  async #kept(work: () => Promise<void>): Promise<void> {
    this.#waiting++
    try {
      await work()
    } finally {
      this.#waiting--
      this.#onRest()
    }
  }

  change(given: Change): Promise<void> {
    return this.#kept(() => this.#change(given))
  }
  async #change({ title, head }: Change): Promise<void> {
    if (head !== undefined && head !== this.head) {
      this.#checkShown(head)
      await this.#moveTo(head)
    }
    if (title === undefined) return
    await this.#told('title.changed', () => {
      this.#chat.title = title
      return this.#chat.kept()
    })
  }
  /** Does something, and waits until the log tells of it. */
  async #told(type: string, work: () => Promise<void> | undefined): Promise<void> {
    const { seq } = this
    await work()
    await this.#until(() => this.#feed.since(seq).some(event => event.type === type))
  }
  #moveTo(id: string | null): Promise<void> {
    return this.#head.moveTo(id, work => this.#told('head.moved', work))
  }

  /** Hides a message and everything below it. The log keeps it. */
  hide(messageId: string): Promise<void> {
    return this.#kept(() => this.#hide(messageId))
  }
  async #hide(messageId: string): Promise<void> {
    const nodes = this.#hidden.without(this.#chat.tree)
    const node = nodes.find(({ id }) => id === messageId)
    if (!node) throw missing('message', messageId)
    const below = subtree(nodes, new Set([messageId]))
    if (this.turnsRunning.some(({ id }) => below.has(this.#turns.tip(id) ?? '')))
      throw new TurnbuckleError('turn.running', 'A turn is running below that message. Stop it first.')
    if (below.has(this.head ?? '')) await this.#moveTo(node.parentId ?? null)
    await this.#told('message.hidden', () => this.#chat.emit({ type: 'message.hidden', messageId }))
  }

  view(): WireConversation {
    const nodes = this.#hidden.without(this.#chat.tree).map(wireNode)
    return {
      id: this.id,
      title: this.title,
      head: this.head,
      seq: this.seq,
      at: Date.now(),
      nodes,
      turns: this.#turns.list,
      requests: this.#turns.requests,
      calls: this.#turns.calls,
    }
  }
  get title(): string {
    return this.#chat.title ?? this.#turns.firstText ?? ''
  }
  summary(): ConversationSummary {
    const { id, title, createdAt, updatedAt, running } = this
    const { usage } = this.#turns
    return {
      id,
      title,
      head: this.head,
      createdAt,
      updatedAt,
      usage,
      ...(usage.cost === undefined ? {} : { cost: usage.cost }),
      running,
      waiting: this.#turns.requests.length,
    }
  }

  async delete(): Promise<void> {
    const gone = this.#chat.delete()
    this.tellDeleted()
    await gone
  }
  tellDeleted(): void {
    this.close()
    this.#feed.tell({ type: 'conversation.deleted', conversationId: this.id, at: Date.now() })
    this.#feed.followers.clear()
  }
  /** Hears nothing more. */
  close(): void {
    this.#leave()
  }
}

/** Whether it may be another time: a store fails now and then; what the agent lacks it lacks. */
const mayGoOn = (error: unknown): boolean =>
  !isOurs(error) || (error.kind === 'store' && error.code !== 'store.damaged')

const refusal = ({ how, decision }: Closed): TurnbuckleError =>
  how === 'answered'
    ? new TurnbuckleError('request.answered', 'That was answered already.', { cause: decision })
    : new TurnbuckleError('request.expired', 'That question is over: nobody answered in time.')

interface Change {
  readonly title?: string | undefined
  readonly head?: string | undefined
}

interface Started {
  readonly turnId: string
  readonly seq: number
}
