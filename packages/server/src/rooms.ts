import type { Agent, Conversation, Event } from 'turnbuckle'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import { Room } from './room.ts'
import type { Card, Shelf } from './shelf.ts'

/** How often others' turns are looked at, in milliseconds. */
const lookEvery = 1000

export interface RoomsOptions {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
  readonly shelf: Shelf
  /** How many conversations stay in memory although nobody follows them and nothing runs. */
  readonly keptIdle: number
  /** What is new, running, waiting or renamed. */
  readonly onChange: (room: Room) => void
  /** Another process has deleted it. */
  readonly onDeleted: (room: Room) => void
}

/** The conversations that are open here: each once, as the log has it, with its turns, for as long as someone needs it. */
export class Rooms {
  readonly #agent: Agent
  readonly #store: ConversationStore | undefined
  readonly #shelf: Shelf
  readonly #keptIdle: number
  readonly #onChange: (room: Room) => void
  readonly #onDeleted: (room: Room) => void
  readonly #rooms = new Map<string, Room>()
  readonly #opening = new Map<string, Promise<Room>>()
  readonly #turns = new Map<string, Room>()
  readonly #requests = new Map<string, Room>()
  /** Conversations in which the last process has left turns: whoever opens one goes on with them. */
  readonly #left = new Set<string>()
  /** Rooms that will be looked at again. */
  readonly #later = new Set<Room>()
  /** Rooms in which a turn was answered that does not run here. */
  readonly #answered = new Set<Room>()
  #lettingGo = false
  #closed = false

  constructor({ agent, store, shelf, keptIdle, onChange, onDeleted }: RoomsOptions) {
    this.#agent = agent
    this.#store = store
    this.#shelf = shelf
    this.#keptIdle = keptIdle
    this.#onChange = onChange
    this.#onDeleted = onDeleted
  }

  /** One that is open now. */
  get(id: string): Room | undefined {
    return this.#rooms.get(id)
  }
  /** The one that is open now and has this turn. */
  ofTurn(id: string): Room | undefined {
    return this.#turns.get(id)
  }
  /** Turns that the last process left there are about to go on. */
  willGoOn(id: string): boolean {
    return this.#left.has(id)
  }

  /** A new one. Two who make the same one at the same time make it once. */
  async make(id: string, owner: string, title: string | undefined): Promise<Room> {
    const known = this.#rooms.get(id)
    // Where another process has deleted it, it is made again.
    if (known) await this.#catchUp(known)
    const room = await this.#alone(id, async () => {
      const card: Card = { owner, createdAt: Date.now(), ...(title ? { title } : {}) }
      await this.#shelf.put(id, card)
      return this.#enter(await this.#agent.open(id), card, [])
    })
    // Who was opening it meanwhile has opened the one that is gone.
    return (await this.#shelf.made(id)) ? room : this.make(id, owner, title)
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

  /** As the log has it now. */
  async current(room: Room): Promise<Room | undefined> {
    await this.#catchUp(room)
    const current = await this.load(room.id)
    if (current) this.touch(current)
    return current
  }
  /** Takes in what another process has done, and goes on with the turns of one that is gone. Who writes does so later. */
  async #catchUp(room: Room): Promise<void> {
    if (!this.#store) return
    if (room.writes) return this.#catchUpLater(room)
    const { id, seq } = room
    const row = await this.#store.conversation(id)
    const gone = await this.#isGone(room, row, seq)
    if (this.#rooms.get(id) !== room) return
    if (gone) return this.#drop(room)
    if (!row) return
    room.begunAt ??= row.createdAt
    if (row.seq > room.seq) room.fallBehind()
    await this.load(id)
    if (room.elsewhere.length) await this.#takeOver(room, row)
  }
  /** Whether another process has deleted it; it may have made another one since. `seq`: what was known before asking. */
  async #isGone({ id, begunAt }: Room, row: ConversationRow | undefined, seq: number): Promise<boolean> {
    if (row) return row.seq < seq || (begunAt !== undefined && begunAt !== row.createdAt)
    return seq > 0 || !(await this.#shelf.card(id))
  }
  /** Goes on with the turns that nobody works on. Who watches a turn of a living process sees what becomes of it. */
  async #takeOver(room: Room, { id, held }: ConversationRow): Promise<void> {
    this.#catchUpLater(room)
    if (room.stuck) this.#answered.delete(room)
    if (held || room.stuck || this.#closed || !(await this.#shelf.made(id))) return
    this.#left.add(id)
    room.fallBehind()
    await this.load(id)
  }
  /** What was answered goes on, also where nobody watches. */
  goOnAnswered(room: Room): void {
    this.#answered.add(room)
    this.#catchUpAside(room)
  }
  /** Nobody waits for it. A store that fails now is asked again. */
  #catchUpAside(room: Room): void {
    if (room.elsewhere.length) this.#catchUp(room).catch(() => this.#catchUpLater(room))
    else this.#answered.delete(room)
  }
  /** Where nobody watches it is enough when somebody comes. */
  #catchUpLater(room: Room): void {
    if (this.#later.has(room) || !room.elsewhere.length) return
    this.#later.add(room)
    const look = () => {
      this.#later.delete(room)
      const wanted = room.watched || this.#answered.has(room)
      if (wanted && this.#rooms.get(room.id) === room && !this.#closed) this.#catchUpAside(room)
    }
    setTimeout(look, lookEvery).unref()
  }
  /** Another process has deleted it. */
  #drop(room: Room): void {
    room.tellDeleted()
    this.forget(room)
    this.#onDeleted(room)
  }

  findTurn(id: string): Promise<Room | undefined> {
    return this.#find(this.#turns.get(id), id)
  }
  async findRequest(id: string): Promise<Room | undefined> {
    // A request's id begins with its turn's.
    const [turnId = ''] = id.split('.')
    const room = await this.#find(this.#requests.get(id), turnId)
    return this.#requests.has(id) ? room : undefined
  }
  /** What is not known here another process may have begun. */
  async #find(known: Room | undefined, turnId: string): Promise<Room | undefined> {
    if (known) return this.current(known)
    const [row] = (await this.#store?.turns({ id: turnId })) ?? []
    const room = row && (await this.load(row.conversation))
    return room && this.current(room)
  }

  async load(id: string): Promise<Room | undefined> {
    const room = this.#rooms.get(id)
    if (room) return room.stale ? this.#alone(id, () => this.#readOn(room)) : room
    const card = await this.#shelf.card(id)
    if (!card) return undefined
    return this.#rooms.has(id) ? this.load(id) : this.#alone(id, () => this.#read(id, card))
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
      onLost: () => this.#catchUpAside(room),
    })
    this.#rooms.set(room.id, room)
    for (const event of log) this.#place(room, event)
    return room
  }

  /** The last in the map is the last that somebody asked for. */
  touch(room: Room): void {
    if (this.#rooms.get(room.id) !== room) return
    this.#rooms.delete(room.id)
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
    const unused = (room: Room) => room.idle && !this.#opening.has(room.id) && !this.#answered.has(room)
    const idle = [...this.#rooms.values()].filter(unused)
    for (const room of idle.slice(0, Math.max(0, idle.length - this.#keptIdle))) {
      room.close()
      this.forget(room)
    }
  }
  /** Another one may be open under its id by now. */
  forget(room: Room): void {
    const forgetIn = (map: Map<string, Room>, id: string) => {
      if (map.get(id) === room) map.delete(id)
    }
    forgetIn(this.#rooms, room.id)
    this.#answered.delete(room)
    for (const id of room.turnIds) forgetIn(this.#turns, id)
    for (const id of room.requestIds) forgetIn(this.#requests, id)
  }

  /** Finds what the last process left. Others' turns are theirs to go on with: a terminal's, a sub-agent's. */
  async findLeft(): Promise<void> {
    for (const { conversation } of (await this.#store?.turns({ status: 'open' })) ?? [])
      if (!this.#left.has(conversation) && (await this.#shelf.made(conversation))) this.#left.add(conversation)
  }
  /** Goes on with that, also where nobody comes. One that cannot go on does not stop the others. */
  async resume(report: (error: unknown) => void): Promise<void> {
    for (const id of this.#left)
      await this.load(id).catch(error => {
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
    this.#onChange(room)
  }

  /** One that was made here: another process may delete it, and make another one under its id. */
  async #noteBegin(room: Room): Promise<void> {
    try {
      const row = await this.#store?.conversation(room.id)
      room.begunAt ??= row?.createdAt
    } catch {
      // It is asked again when somebody opens it.
    }
  }
  #place(room: Room, event: Event): void {
    if (event.type === 'turn.started' && event.turnId) this.#turns.set(event.turnId, room)
    if (event.type === 'request.opened') this.#requests.set(event.requestId, room)
  }
  #index(room: Room, event: Event): void {
    this.#place(room, event)
    if (event.seq === 1) void this.#noteBegin(room)
    if (/^(turn\.|request\.|title\.)/.test(event.type)) setImmediate(() => this.#onChange(room))
  }
}
