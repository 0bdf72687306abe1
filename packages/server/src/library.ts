import { type Agent, type Turn, TurnbuckleError } from 'turnbuckle'
import type { ConversationSummary, NewTurn, SearchHit, WireDecision, WireSpan, WireTrace } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { eraseConversation } from './erase.ts'
import { excerptsIn } from './excerpts.ts'
import { missing } from './failure.ts'
import type { News } from './inspector.ts'
import { mismatch } from './keyed-starts.ts'
import { linkedTo } from './linked.ts'
import type { Room } from './room.ts'
import { Rooms } from './rooms.ts'
import { keyedId, Shelf } from './shelf.ts'
import { Traces } from './traces.ts'
import { type Change, Watchers } from './watchers.ts'

const mostHits = 50

interface NewConversation {
  readonly title?: string | undefined
  readonly id?: string | undefined
  readonly key?: string | undefined
}

/** All conversations, with their owners: what a person may do with theirs. */
export class Library {
  readonly #store: ConversationStore | undefined
  readonly #shelf: Shelf
  readonly #rooms: Rooms
  readonly #traces: Traces | undefined
  readonly #watchers = new Watchers()

  /** `keptIdle`: how many conversations stay in memory although nobody follows them and nothing runs. */
  constructor(agent: Agent, store: ConversationStore | undefined, keptIdle: number) {
    this.#store = store
    this.#shelf = new Shelf(store)
    this.#traces = store && new Traces(store)
    this.#rooms = new Rooms({
      agent,
      store,
      shelf: this.#shelf,
      keptIdle,
      onChange: room => this.#announce(room),
      onDeleted: room => this.#deletedElsewhere(room),
    })
  }

  /** With an `id` of the caller's: a conversation that others own is missing. The same `key` makes one. */
  async create(owner: string, { title, id, key }: NewConversation): Promise<Room> {
    const wanted = id ?? (key === undefined ? `conv_${crypto.randomUUID()}` : keyedId(owner, key))
    const known = id === undefined && key === undefined ? undefined : await this.#shelf.card(wanted)
    if (known && key !== undefined && (known.title ?? '') !== (title ?? '')) throw mismatch()
    const room = known ? await this.open(owner, wanted) : await this.#rooms.make(wanted, owner, title)
    if (room.owner !== owner) throw missing('conversation', wanted)
    if (title && !room.title) await room.change({ title })
    this.#rooms.touch(room)
    this.#announce(room)
    return room
  }

  /** Someone else's conversation is as missing as none. */
  async open(person: string, id: string): Promise<Room> {
    const room = await this.#rooms.load(id)
    const current = room?.owner === person ? await this.#rooms.current(room) : undefined
    if (!current) throw missing('conversation', id)
    return current
  }

  /** Newest activity first; `before` is the last id of the page before. */
  async list(person: string, limit: number, before?: string): Promise<ConversationSummary[]> {
    const kept = (await this.#shelf.all()).filter(({ owner }) => owner === person)
    const all = kept.map(({ id, seq, begunAt, summary }) => {
      const room = this.#rooms.get(id)
      // Another process may have gone on with one that is open here, or made another one under its id.
      const same = room?.begunAt === undefined || room.begunAt === begunAt
      if (room && (room.running || (same && room.seq >= seq))) return room.summary()
      return { ...summary, running: this.#rooms.willGoOn(id) }
    })
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
    const erase = async () => {
      await room.delete()
      for (const turnId of room.turnIds) await this.#traces?.erase(turnId, running.has(turnId))
      for (const one of [id, ...linked]) await this.#store?.delete(one)
    }
    try {
      await this.#shelf.remove(id, erase)
    } finally {
      // Also where that failed: it is opened anew then.
      this.#rooms.forget(room)
    }
    this.#announceDeleted(room)
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
    await this.#shelf.entitle(room, turn.text)
    return started
  }

  async roomOfTurn(person: string, turnId: string): Promise<Room> {
    const room = await this.#rooms.findTurn(turnId)
    if (room?.owner !== person) throw missing('turn', turnId)
    return room
  }
  /** Request ids cannot be guessed: a stranger who knows one is told that it is not theirs. */
  async roomOfRequest(person: string, requestId: string): Promise<Room> {
    const room = await this.#rooms.findRequest(requestId)
    if (!room) throw new TurnbuckleError('request.unknown', `There is no request "${requestId.slice(0, 300)}".`)
    if (room.owner !== person) throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return room
  }
  /** Does something to a turn that this process works on. */
  async withTurn(person: string, turnId: string, act: (turn: Turn) => void): Promise<void> {
    const room = await this.roomOfTurn(person, turnId)
    await room.turn(turnId)?.began
    const current = await this.#rooms.current(room)
    if (!current) throw missing('turn', turnId)
    act(current.runningTurn(turnId))
  }
  /** The turn of a server that is gone goes on here. */
  async answer(person: string, requestId: string, answer: unknown): Promise<void> {
    const room = await this.roomOfRequest(person, requestId)
    try {
      await room.answer(requestId, answer)
    } catch (error) {
      // Another process may have been quicker.
      const current = await this.#rooms.current(room).catch(() => undefined)
      current?.checkOpen(requestId)
      throw error
    }
    this.#rooms.goOnAnswered(room)
  }
  async decisions(person: string, turnId: string): Promise<readonly WireDecision[]> {
    const room = await this.roomOfTurn(person, turnId)
    const turn = room.turn(turnId)
    // Of one that has ended the log knows: it may have gone on in another process.
    const kept = turn && !turn.ended ? undefined : await this.#store?.decisions(room.id, turnId)
    return kept?.length ? kept : (turn?.explain() ?? [])
  }
  /** Told as it happens; kept when the turn's own stage, the last, has ended: what it gives then resolves. */
  trace(turnId: string, news: News, all: WireTrace | undefined): Promise<void> | undefined {
    this.#rooms.ofTurn(turnId)?.trace(turnId, news)
    const last = 'ended' in news && news.ended.kind === 'stage' && news.ended.depth === 0
    return last ? this.#traces?.keep(turnId, all?.spans ?? []) : undefined
  }
  async spans(person: string, turnId: string): Promise<readonly WireSpan[]> {
    await this.roomOfTurn(person, turnId)
    return (await this.#traces?.of(turnId)) ?? []
  }

  /** Finds the turns that the last process left, and finishes its deletions. */
  async findLeft(): Promise<void> {
    if (!this.#store) return
    for (const id of await this.#shelf.deleting()) await eraseConversation(this.#store, id)
    await this.#rooms.findLeft()
  }
  /** Goes on with them, also where nobody comes. */
  resume(report: (error: unknown) => void): Promise<void> {
    return this.#rooms.resume(report)
  }
  /** Begins nothing more. */
  close(): void {
    this.#rooms.close()
  }

  /** Follows the list: what is new, renamed, running, waiting or gone. */
  watch(person: string, tell: (change: Change) => void): () => void {
    return this.#watchers.add(person, tell)
  }

  #announce(room: Room): void {
    if (this.#watchers.none || !this.#rooms.get(room.id)) return
    this.#watchers.tell(room.owner, { type: 'conversation.changed', conversation: room.summary() })
  }
  /** What was cut off here must not be kept now. */
  #deletedElsewhere(room: Room): void {
    for (const { id } of room.elsewhere) if (room.turn(id)) this.#traces?.erase(id, true).catch(() => {})
    this.#announceDeleted(room)
  }
  #announceDeleted({ owner, id }: Room): void {
    this.#watchers.tell(owner, { type: 'conversation.deleted', conversationId: id })
  }
}
