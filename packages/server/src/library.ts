import { type Agent, type Conversation, type Event, TurnbuckleError } from 'turnbuckle'
import type { ConversationSummary, NewTurn, SearchHit, WireDecision, WireSpan, WireTrace } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { excerptsIn } from './excerpts.ts'
import { missing } from './failure.ts'
import type { News } from './inspector.ts'
import { mismatch } from './keyed-starts.ts'
import { linkedTo } from './linked.ts'
import { Room } from './room.ts'
import { type Card, keyedId, Shelf } from './shelf.ts'
import { Traces } from './traces.ts'
import { type Change, Watchers } from './watchers.ts'

const mostHits = 50
/** How often others' turns are looked at, in milliseconds. */
const lookEvery = 1000

interface NewConversation {
  readonly title?: string | undefined
  readonly id?: string | undefined
  readonly key?: string | undefined
}

/** All conversations, with their owners: which are open here, and where each turn and request is. */
export class Library {
  readonly #agent: Agent
  readonly #store: ConversationStore | undefined
  readonly #shelf: Shelf
  readonly #traces: Traces | undefined
  readonly #keptIdle: number
  #lettingGo = false
  readonly #rooms = new Map<string, Room>()
  readonly #opening = new Map<string, Promise<Room>>()
  readonly #turns = new Map<string, Room>()
  readonly #requests = new Map<string, Room>()
  readonly #watchers = new Watchers()
  /** Conversations in which the last process has left turns: whoever opens one goes on with them. */
  readonly #left = new Set<string>()
  /** How long the logs were when their turns were gone on with: one that cannot go on is not tried again as it stands. */
  readonly #tried = new Map<string, number>()
  /** Conversations that will be looked at again. */
  readonly #looking = new Set<string>()
  #closed = false

  /** `keptIdle`: how many conversations stay in memory although nobody follows them and nothing runs. */
  constructor(agent: Agent, store: ConversationStore | undefined, keptIdle: number) {
    this.#agent = agent
    this.#store = store
    this.#shelf = new Shelf(store)
    this.#traces = store && new Traces(store)
    this.#keptIdle = keptIdle
  }

  /** With an `id` of the caller's: a conversation that others own is missing. The same `key` makes one. */
  async create(owner: string, { title, id, key }: NewConversation): Promise<Room> {
    const wanted = id ?? (key === undefined ? `conv_${crypto.randomUUID()}` : keyedId(owner, key))
    const known = id === undefined && key === undefined ? undefined : await this.#shelf.card(wanted)
    if (known && key !== undefined && (known.title ?? '') !== (title ?? '')) throw mismatch()
    const room = known ? await this.open(owner, wanted) : await this.#make(wanted, owner, title)
    if (room.owner !== owner) throw missing('conversation', wanted)
    if (title && !room.title) await room.change({ title })
    this.#touch(room)
    this.#announce(room)
    return room
  }
  /** Two who make the same one at the same time make it once. */
  #make(id: string, owner: string, title: string | undefined): Promise<Room> {
    const make = async () => {
      const card: Card = { owner, createdAt: Date.now(), ...(title ? { title } : {}) }
      await this.#shelf.put(id, card)
      return this.#enter(await this.#agent.open(id), card, [])
    }
    return this.#alone(id, make)
  }
  /** Who comes while it is being opened, or has been since they looked, gets the same one. */
  async #alone(id: string, work: () => Promise<Room>): Promise<Room> {
    const opening = this.#opening.get(id) ?? this.#known(id) ?? work()
    if (opening instanceof Room) return opening
    this.#opening.set(id, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(id)
    }
  }

  /** Someone else's conversation is as missing as none. */
  async open(person: string, id: string): Promise<Room> {
    const room = await this.#load(id)
    const current = room?.owner === person ? await this.#current(room) : undefined
    if (!current) throw missing('conversation', id)
    return current
  }
  /** As the log has it now. Where a turn runs here nobody else writes to it. */
  async #current(room: Room): Promise<Room | undefined> {
    if (!room.running) await this.#compare(room)
    const current = await this.#load(room.id)
    if (current) this.#touch(current)
    return current
  }
  /** Takes in what another process has done to it, and goes on with the turns of one that is gone. */
  async #compare(room: Room): Promise<void> {
    if (!this.#store) return
    const { id, seq: known } = room
    const row = await this.#store.conversation(id)
    if (this.#rooms.get(id) !== room) return
    if ((row?.seq ?? 0) < known) return this.#drop(room)
    if (row && row.seq > room.seq) room.stale = true
    await this.#load(id)
    if (!row || !room.elsewhere.length) return
    if (row.held || !(await this.#shelf.made(id))) {
      this.#tried.delete(id)
      this.#lookAgain(id)
    } else if (this.#tried.get(id) !== row.n && !this.#closed) {
      this.#tried.set(id, row.n)
      this.#left.add(id)
      room.stale = true
      await this.#load(id)
    }
  }
  /** Who watches a turn of a process that dies sees it go on, or, where it was not a server's, what becomes of it. */
  #lookAgain(id: string): void {
    if (this.#looking.has(id)) return
    this.#looking.add(id)
    const look = () => {
      this.#looking.delete(id)
      const room = this.#rooms.get(id)
      if (room?.watched && !this.#closed) this.#look(room)
    }
    setTimeout(look, lookEvery).unref()
  }
  /** Nobody waits for it. A store that fails now is asked again. */
  #look(room: Room): void {
    if (room.elsewhere.length) this.#compare(room).catch(() => this.#lookAgain(room.id))
  }
  /** Another process has deleted it. */
  #drop(room: Room): void {
    room.tellDeleted()
    this.#forget(room)
    this.#watchers.tell(room.owner, { type: 'conversation.deleted', conversationId: room.id })
  }

  async #load(id: string): Promise<Room | undefined> {
    const known = this.#known(id)
    if (known) return known
    const card = this.#rooms.get(id) ?? (await this.#shelf.card(id))
    if (!card) return undefined
    return this.#alone(id, () => {
      const stale = this.#rooms.get(id)
      return stale ? this.#readOn(stale) : this.#read(id, card)
    })
  }
  #known(id: string): Room | undefined {
    const room = this.#rooms.get(id)
    return room?.stale ? undefined : room
  }
  async #read(id: string, card: Card): Promise<Room> {
    const chat = await this.#agent.open(id)
    await chat.load()
    const room = this.#enter(chat, card, (await this.#store?.events(id)) ?? [])
    if (this.#left.delete(id)) this.#goOn(room)
    return room
  }
  async #readOn(room: Room): Promise<Room> {
    const { id } = room
    const chat = await this.#agent.open(id)
    await chat.load()
    const missed = (await this.#store?.events(id, room.seq)) ?? []
    const { cutOff } = room
    room.readOn(chat, missed)
    if (this.#left.delete(id) || cutOff) this.#goOn(room)
    return room
  }
  #enter(chat: Conversation, { owner, createdAt }: Card, log: readonly Event[]): Room {
    const store = this.#store
    const room: Room = new Room(chat, {
      owner,
      createdAt,
      log,
      read: store && (async after => store.events(chat.id, after)),
      onEvent: (of, event) => this.#index(of, event),
      onRest: () => this.#letGoSoon(),
      onTaken: () => this.#look(room),
    })
    this.#rooms.set(room.id, room)
    for (const event of log) this.#place(room, event)
    return room
  }

  /** The last in the map is the last that somebody asked for. */
  #touch(room: Room): void {
    if (!this.#rooms.delete(room.id)) return
    this.#rooms.set(room.id, room)
    this.#letGoSoon()
  }
  /** Later: whoever has just been given a room uses it first. */
  #letGoSoon(): void {
    if (!this.#store || this.#rooms.size <= this.#keptIdle || this.#lettingGo) return
    this.#lettingGo = true
    setImmediate(() => {
      this.#lettingGo = false
      this.#letGo()
    })
  }
  /** Of those that nobody follows and nothing runs in, the ones longest not asked for go. The store has them. */
  #letGo(): void {
    const idle = [...this.#rooms.values()].filter(room => room.idle)
    for (const room of idle.slice(0, Math.max(0, idle.length - this.#keptIdle))) {
      room.close()
      this.#forget(room)
    }
  }
  #forget(room: Room): void {
    this.#rooms.delete(room.id)
    for (const id of room.turnIds) this.#turns.delete(id)
    for (const id of room.requestIds) this.#requests.delete(id)
  }

  /** Newest activity first; `before` is the last id of the page before. */
  async list(person: string, limit: number, before?: string): Promise<ConversationSummary[]> {
    const kept = (await this.#shelf.all()).filter(({ owner }) => owner === person)
    const all = kept.map(
      ({ id, summary }) => this.#rooms.get(id)?.summary() ?? { ...summary, running: this.#left.has(id) },
    )
    all.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
    const last = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
    if (before !== undefined && last < 0) throw missing('conversation', before)
    return all.slice(last + 1, last + 1 + limit)
  }

  /** With all that was kept of it: its sub-agents' conversations and its timelines too. */
  async delete(person: string, id: string): Promise<void> {
    const room = await this.open(person, id)
    const linked = this.#store ? await linkedTo(this.#store, id) : []
    const running = new Set(room.turnsRunning.map(turn => turn.id))
    await room.delete()
    for (const turnId of room.turnIds) await this.#traces?.erase(turnId, running.has(turnId))
    for (const one of [id, ...linked]) await this.#store?.delete(one)
    await this.#shelf.remove(id)
    this.#forget(room)
    this.#watchers.tell(room.owner, { type: 'conversation.deleted', conversationId: id })
  }

  async search(person: string, query: string): Promise<SearchHit[]> {
    const hits: SearchHit[] = []
    for (const { id } of await this.#mayHold(person, query)) {
      hits.push(...excerptsIn((await this.open(person, id)).view(), query))
      if (hits.length >= mostHits) break
    }
    return hits.slice(0, mostHits)
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
    const started = await room.start(turn, key)
    await this.#shelf.entitle(id, turn.text)
    return started
  }

  async roomOfTurn(person: string, turnId: string): Promise<Room> {
    const room = await this.#holding(this.#turns.get(turnId), turnId)
    if (room?.owner !== person) throw missing('turn', turnId)
    return room
  }
  /** Request ids cannot be guessed: a stranger who knows one is told that it is not theirs. */
  async roomOfRequest(person: string, requestId: string): Promise<Room> {
    // A request's id begins with its turn's.
    const [turnId = ''] = requestId.split('.')
    const room = await this.#holding(this.#requests.get(requestId), turnId)
    if (!room || !this.#requests.has(requestId))
      throw new TurnbuckleError('request.unknown', `There is no request "${requestId.slice(0, 300)}".`)
    if (room.owner !== person) throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return room
  }
  /** What is not known here another process may have begun. */
  async #holding(known: Room | undefined, turnId: string): Promise<Room | undefined> {
    if (known) return this.#load(known.id)
    const [row] = (await this.#store?.turns({ id: turnId })) ?? []
    const room = row && (await this.#load(row.conversation))
    return room && this.#current(room)
  }
  /** The turn of a server that is gone goes on here. */
  async answer(person: string, requestId: string, answer: unknown): Promise<void> {
    const room = await this.roomOfRequest(person, requestId)
    await room.answer(requestId, answer)
    this.#look(room)
  }
  async decisions(person: string, turnId: string): Promise<readonly WireDecision[]> {
    const room = await this.roomOfTurn(person, turnId)
    return room.turn(turnId)?.explain() ?? (await this.#store?.decisions(room.id, turnId)) ?? []
  }
  /** Told as it happens; kept when the turn's own stage, the last, has ended: what it gives then resolves. */
  trace(turnId: string, news: News, all: WireTrace | undefined): Promise<void> | undefined {
    this.#turns.get(turnId)?.trace(turnId, news)
    const last = 'ended' in news && news.ended.kind === 'stage' && news.ended.depth === 0
    return last ? this.#traces?.keep(turnId, all?.spans ?? []) : undefined
  }
  async spans(person: string, turnId: string): Promise<readonly WireSpan[]> {
    await this.roomOfTurn(person, turnId)
    return (await this.#traces?.of(turnId)) ?? []
  }

  /** Finds what the last process left. Others' turns are theirs to go on with: a terminal's, a sub-agent's. */
  async findLeft(): Promise<void> {
    for (const { conversation } of (await this.#store?.turns({ status: 'open' })) ?? [])
      if (!this.#left.has(conversation) && (await this.#shelf.made(conversation))) this.#left.add(conversation)
  }
  /** Goes on with it, also where nobody comes. One that cannot go on does not stop the others. */
  async resume(report: (error: unknown) => void): Promise<void> {
    for (const id of this.#left)
      await this.#load(id).catch(error => {
        if (!this.#closed) report(error)
      })
  }
  /** Begins nothing more. */
  close(): void {
    this.#closed = true
    this.#left.clear()
  }

  #goOn(room: Room): void {
    if (this.#closed) return
    for (let turn = this.#agent.resume(room.id); turn; turn = this.#agent.resume(room.id)) room.adopt(turn)
    this.#announce(room)
  }

  /** Follows the list: what is new, renamed, running, waiting or gone. */
  watch(person: string, tell: (change: Change) => void): () => void {
    return this.#watchers.add(person, tell)
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
    if (this.#watchers.none || !this.#rooms.has(room.id)) return
    this.#watchers.tell(room.owner, { type: 'conversation.changed', conversation: room.summary() })
  }
}
