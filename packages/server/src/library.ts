import { createHash } from 'node:crypto'
import { type Agent, type Event, TurnbuckleError, textOf } from 'turnbuckle'
import type { ConversationSummary, SearchHit, WireSpan } from 'turnbuckle/client'
import { missing } from './failure.ts'
import { Room } from './room.ts'

const day = 24 * 60 * 60 * 1000

interface Remembered {
  readonly at: number
  readonly body: string
  readonly answer: unknown
}

export type Change =
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }

/** All that is kept: conversations with their owners, which turn and request is where, and answers to repeated calls. */
export class Library {
  readonly #agent: Agent
  readonly #rooms = new Map<string, Room>()
  readonly #turns = new Map<string, Room>()
  readonly #requests = new Map<string, Room>()
  readonly #answers = new Map<string, Remembered>()
  readonly #watchers = new Set<{ readonly person: string; tell(change: Change): void }>()
  readonly #now: () => number

  constructor(agent: Agent, now: () => number = Date.now) {
    this.#agent = agent
    this.#now = now
  }

  /** With an `id` of the caller's: a conversation that others own is missing. */
  create(owner: string, { title, id }: { readonly title?: string | undefined; readonly id?: string }): Room {
    const known = id === undefined ? undefined : this.#rooms.get(id)
    if (known) return this.open(owner, known.id)
    const chat = this.#agent.conversation({ id: id ?? `conv_${crypto.randomUUID()}` })
    const onEvent = (room: Room, event: Event) => this.#index(room, event)
    const room = new Room(chat, { owner, createdAt: this.#now(), log: [], onEvent })
    this.#rooms.set(room.id, room)
    if (title) room.change({ title })
    this.#announce(room)
    return room
  }

  /** Someone else's conversation is as missing as none. */
  open(person: string, id: string): Room {
    const room = this.#rooms.get(id)
    if (!room || room.owner !== person) throw missing('conversation', id)
    return room
  }

  /** Newest activity first; `before` is the last id of the page before. */
  list(person: string, limit: number, before?: string): ConversationSummary[] {
    const own = [...this.#rooms.values()].filter(room => room.owner === person)
    own.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
    const from = before === undefined ? 0 : own.findIndex(({ id }) => id === before) + 1
    return own.slice(from, from + limit).map(room => room.summary())
  }

  delete(person: string, id: string): void {
    const room = this.open(person, id)
    room.delete()
    this.#rooms.delete(id)
    for (const index of [this.#turns, this.#requests])
      for (const [key, value] of index) if (value === room) index.delete(key)
    this.#tell(room.owner, { type: 'conversation.deleted', conversationId: id })
  }

  search(person: string, query: string, limit = 50): SearchHit[] {
    const wanted = query.toLowerCase()
    const hits: SearchHit[] = []
    for (const { id } of this.list(person, Infinity)) {
      const { nodes, title } = this.open(person, id).view()
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

  trace(turnId: string, span: WireSpan): void {
    this.#turns.get(turnId)?.trace(turnId, span)
  }
  roomOfTurn(person: string, turnId: string): Room {
    const room = this.#turns.get(turnId)
    if (!room || room.owner !== person) throw missing('turn', turnId)
    return room
  }
  /** Request ids cannot be guessed: a stranger who knows one is told that it is not his. */
  roomOfRequest(person: string, requestId: string): Room {
    const room = this.#requests.get(requestId)
    if (!room) throw new TurnbuckleError('request.unknown', `There is no request "${requestId}".`)
    if (room.owner !== person) throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return room
  }

  /** Runs `work` once for a key: the same body gets the same answer for a day, another body is refused. */
  once<Answer>(key: string | undefined, body: unknown, work: () => Answer): Answer {
    if (key === undefined) return work()
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64')
    const now = this.#now()
    for (const [old, { at }] of this.#answers) {
      if (now - at < day) break
      this.#answers.delete(old)
    }
    const known = this.#answers.get(key)
    if (known && known.body !== hash)
      throw new TurnbuckleError('idempotency.mismatch', 'That Idempotency-Key was used with another body.')
    if (known) return known.answer as Answer
    const answer = work()
    this.#answers.set(key, { at: now, body: hash, answer })
    return answer
  }

  /** Follows the list: what is new, renamed, running, waiting or gone. */
  watch(person: string, tell: (change: Change) => void): () => void {
    const watcher = { person, tell }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  get rooms(): readonly Room[] {
    return [...this.#rooms.values()]
  }

  #index(room: Room, event: Event): void {
    if (event.type === 'turn.started' && event.turnId) this.#turns.set(event.turnId, room)
    if (event.type === 'request.opened') this.#requests.set(event.requestId, room)
    if (/^(turn\.|request\.|title\.)/.test(event.type)) queueMicrotask(() => this.#announce(room))
  }
  #announce(room: Room): void {
    if (this.#watchers.size && this.#rooms.has(room.id))
      this.#tell(room.owner, { type: 'conversation.changed', conversation: room.summary() })
  }
  #tell(person: string, change: Change): void {
    for (const watcher of this.#watchers) if (watcher.person === person) watcher.tell(change)
  }
}
