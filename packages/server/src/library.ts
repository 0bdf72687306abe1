import { type Agent, type Conversation, type Event, TurnbuckleError, textOf } from 'turnbuckle'
import type { ConversationSummary, NewTurn, SearchHit, WireDecision, WireSpan, WireTrace } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { missing } from './failure.ts'
import type { News } from './inspector.ts'
import { Once } from './once.ts'
import { Room } from './room.ts'
import { type Card, Shelf } from './shelf.ts'
import { jsonOf } from './wire.ts'

export type Change =
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }

const traceSpace = 'server.traces'
const month = 30 * 24 * 60 * 60 * 1000

/** All that is kept: conversations with their owners, which turn and request is where, and answers to repeated calls. */
export class Library {
  readonly #agent: Agent
  readonly #store: ConversationStore | undefined
  readonly #shelf: Shelf
  readonly #once: Once
  readonly #rooms = new Map<string, Room>()
  readonly #opening = new Map<string, Promise<Room>>()
  readonly #turns = new Map<string, Room>()
  readonly #requests = new Map<string, Room>()
  readonly #watchers = new Set<{ readonly person: string; tell(change: Change): void }>()

  constructor(agent: Agent, store: ConversationStore | undefined) {
    this.#agent = agent
    this.#store = store
    this.#shelf = new Shelf(store)
    this.#once = new Once(store)
  }

  /** With an `id` of the caller's: a conversation that others own is missing. */
  async create(
    owner: string,
    { title, id }: { readonly title?: string | undefined; readonly id?: string },
  ): Promise<Room> {
    if (id !== undefined && (await this.#shelf.card(id))) return this.open(owner, id)
    const wanted = id ?? `conv_${crypto.randomUUID()}`
    const card: Card = { owner, createdAt: Date.now() }
    await this.#shelf.put(wanted, card)
    const room = this.#enter(await this.#agent.open(wanted), card, [])
    if (title) await room.change({ title })
    this.#announce(room)
    return room
  }

  /** Someone else's conversation is as missing as none. */
  async open(person: string, id: string): Promise<Room> {
    const room = this.#rooms.get(id) ?? (await this.#load(id))
    if (room?.owner !== person) throw missing('conversation', id)
    return room
  }
  async #load(id: string): Promise<Room | undefined> {
    const card = await this.#shelf.card(id)
    if (!card) return undefined
    const opening = this.#opening.get(id) ?? this.#read(id, card)
    this.#opening.set(id, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(id)
    }
  }
  async #read(id: string, card: Card): Promise<Room> {
    const chat = await this.#agent.open(id)
    return this.#enter(chat, card, (await this.#store?.events(id)) ?? [])
  }
  #enter(chat: Conversation, card: Card, log: readonly Event[]): Room {
    const room = new Room(chat, { ...card, log, onEvent: (of, event) => this.#index(of, event) })
    this.#rooms.set(room.id, room)
    for (const event of log) this.#place(room, event)
    return room
  }

  /** Newest activity first; `before` is the last id of the page before. */
  async list(person: string, limit: number, before?: string): Promise<ConversationSummary[]> {
    const kept = (await this.#shelf.all()).filter(({ owner }) => owner === person)
    const all = kept.map(one => this.#rooms.get(one.id)?.summary() ?? one.summary)
    all.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1
    return all.slice(from, from + limit)
  }

  async delete(person: string, id: string): Promise<void> {
    const room = await this.open(person, id)
    room.delete()
    await this.#store?.delete(id)
    await this.#shelf.remove(id)
    this.#rooms.delete(id)
    for (const index of [this.#turns, this.#requests])
      for (const [key, value] of index) if (value === room) index.delete(key)
    this.#tell(room.owner, { type: 'conversation.deleted', conversationId: id })
  }

  async search(person: string, query: string, limit = 50): Promise<SearchHit[]> {
    const wanted = query.toLowerCase()
    const hits: SearchHit[] = []
    for (const { id, title } of await this.#mayHold(person, query)) {
      const { nodes } = (await this.open(person, id)).view()
      for (const { message, createdAt } of nodes) {
        const text = textOf(message)
        const at = text.toLowerCase().indexOf(wanted)
        if (at < 0) continue
        const excerpt = text.slice(Math.max(0, at - 60), at + wanted.length + 100)
        hits.push({ conversationId: id, title, messageId: message.id, role: message.role, excerpt, createdAt })
        if (hits.length === limit) return hits
      }
    }
    return hits
  }
  /** The store knows where to look. */
  async #mayHold(person: string, query: string): Promise<ConversationSummary[]> {
    const list = await this.list(person, Infinity)
    if (!this.#store) return list
    const found = new Set(
      (await this.#store.search({ text: query, limit: 1000 })).map(({ conversation }) => conversation),
    )
    return list.filter(({ id }) => found.has(id))
  }

  /** Starts a turn. The same key starts it once. */
  async start(
    person: string,
    id: string,
    turn: NewTurn,
    key: string | undefined,
  ): Promise<{ turnId: string; seq: number }> {
    const room = await this.open(person, id)
    return this.once(key && `${person} ${id} ${key}`, turn, async () => {
      const started = await room.start(turn)
      await this.#shelf.entitle(id, turn.text)
      return started
    })
  }
  once<Answer>(key: string | undefined, body: unknown, work: () => Promise<Answer>): Promise<Answer> {
    return key === undefined ? work() : this.#once.do(key, body, work)
  }

  async roomOfTurn(person: string, turnId: string): Promise<Room> {
    const known = this.#turns.get(turnId)
    const [row] = known ? [] : ((await this.#store?.turns({ id: turnId })) ?? [])
    const room = known ?? (row && (await this.#load(row.conversation)))
    if (!room || room.owner !== person) throw missing('turn', turnId)
    return room
  }
  /** Request ids cannot be guessed: a stranger who knows one is told that it is not his. */
  async roomOfRequest(person: string, requestId: string): Promise<Room> {
    // A request's id begins with its turn's.
    const turnId = /^turn_[\w-]+/.exec(requestId)?.[0] ?? ''
    const [row] = this.#requests.has(requestId) ? [] : ((await this.#store?.turns({ id: turnId })) ?? [])
    if (row) await this.#load(row.conversation)
    const room = this.#requests.get(requestId)
    if (!room) throw new TurnbuckleError('request.unknown', `There is no request "${requestId}".`)
    if (room.owner !== person) throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return room
  }
  async decisions(person: string, turnId: string): Promise<readonly WireDecision[]> {
    const room = await this.roomOfTurn(person, turnId)
    return room.turn(turnId)?.explain() ?? (await this.#store?.decisions(room.id, turnId)) ?? []
  }
  /** Told as it happens; kept when the turn's own stage, the last, has ended. A store that fails costs only the trace. */
  trace(turnId: string, news: News, all: WireTrace | undefined): void {
    this.#turns.get(turnId)?.trace(turnId, news)
    if (!('ended' in news) || news.ended.kind !== 'stage' || news.ended.depth !== 0 || !this.#store) return
    const { set } = this.#store
    Promise.resolve()
      .then(() => set(traceSpace, turnId, JSON.parse(jsonOf(all?.spans ?? [])), Date.now() + month))
      .catch(() => {})
  }
  async spans(person: string, turnId: string): Promise<readonly WireSpan[]> {
    await this.roomOfTurn(person, turnId)
    return ((await this.#store?.get(traceSpace, turnId)) as readonly WireSpan[] | undefined) ?? []
  }

  /** Goes on with every turn that the last process left. One that cannot go on does not stop the others. */
  async resume(report: (error: unknown) => void): Promise<void> {
    const left = (await this.#store?.turns({ status: 'open' })) ?? []
    for (const id of new Set(left.map(({ conversation }) => conversation))) {
      try {
        // Others' are theirs to go on with: a terminal's, a sub-agent's.
        const room = (await this.#shelf.made(id)) ? await this.#load(id) : undefined
        for (let turn = room && this.#agent.resume(id); room && turn; turn = this.#agent.resume(id)) room.adopt(turn)
      } catch (error) {
        report(error)
      }
    }
  }

  /** Follows the list: what is new, renamed, running, waiting or gone. */
  watch(person: string, tell: (change: Change) => void): () => void {
    const watcher = { person, tell }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #place(room: Room, event: Event): void {
    if (event.type === 'turn.started' && event.turnId) this.#turns.set(event.turnId, room)
    if (event.type === 'request.opened') this.#requests.set(event.requestId, room)
  }
  #index(room: Room, event: Event): void {
    this.#place(room, event)
    if (/^(turn\.|request\.|title\.)/.test(event.type)) setImmediate(() => this.#announce(room))
  }
  #announce(room: Room): void {
    if (this.#watchers.size && this.#rooms.has(room.id))
      this.#tell(room.owner, { type: 'conversation.changed', conversation: room.summary() })
  }
  #tell(person: string, change: Change): void {
    for (const watcher of this.#watchers) if (watcher.person === person) watcher.tell(change)
  }
}
