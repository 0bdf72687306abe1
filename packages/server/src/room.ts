import { type Conversation, type Event, type NewMessage, type Turn, TurnbuckleError } from 'turnbuckle'
import type {
  ConversationSummary,
  NewTurn,
  WireConversation,
  WireEvent,
  WireRequest,
  WireSpan,
} from 'turnbuckle/client'
import { missing } from './failure.ts'
import { LiveText } from './live-text.ts'
import { Turns } from './turns.ts'
import { wireNode } from './wire.ts'

/** Someone who follows a conversation. */
export type Follower = (event: Event | WireEvent) => void

interface Running {
  readonly turn: Turn
  readonly handle: Conversation
}

export interface RoomOptions {
  readonly owner: string
  readonly createdAt: number
  /** What was recorded before this process. */
  readonly log: readonly Event[]
  /** Told of every event, before any follower. */
  readonly onEvent: (room: Room, event: Event) => void
}

/** One conversation that is open in the server: its turns run here, whoever watches. */
export class Room {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
  updatedAt: number
  readonly #log: Event[]
  readonly #live = new LiveText()
  readonly #turns = new Turns()
  readonly #running = new Map<string, Running>()
  readonly #ended = new Map<string, Turn>()
  readonly #hidden = new Set<string>()
  readonly #followers = new Set<Follower>()
  readonly #leave: () => void
  /** The handle whose head is the conversation's: that of the turn that started last. */
  #chat: Conversation

  constructor(chat: Conversation, { owner, createdAt, log, onEvent }: RoomOptions) {
    this.id = chat.id
    this.owner = owner
    this.createdAt = createdAt
    this.updatedAt = log.at(-1)?.at ?? createdAt
    this.#chat = chat
    this.#log = [...log]
    for (const event of log) this.#project(event)
    this.#leave = chat.subscribe({
      event: event => {
        this.#log.push(event)
        this.updatedAt = event.at
        this.#live.settle(event)
        this.#project(event)
        onEvent(this, event)
        this.#tell(event)
      },
      delta: delta => {
        this.#live.add(delta)
        const { reasoning, ...rest } = delta
        const at = Date.now()
        this.#tell({ type: 'message.delta', conversationId: this.id, at, ...rest, ...(reasoning ? { reasoning } : {}) })
      },
    })
  }

  get seq(): number {
    return this.#log.at(-1)?.seq ?? 0
  }
  get running(): boolean {
    return this.turnsRunning.length > 0
  }
  get requests(): readonly WireRequest[] {
    return this.#chat.requests.map(({ deadline, ...rest }) => ({ ...rest, ...(deadline ? { deadline } : {}) }))
  }

  #project(event: Event): void {
    this.#turns.add(event)
    if ((event.type as string) === 'message.hidden')
      this.#hidden.add((event as unknown as { messageId: string }).messageId)
  }
  #tell(event: Event | WireEvent): void {
    for (const follower of this.#followers) follower(event)
  }
  /** Not in the log: told to whoever watches now. */
  trace(turnId: string, span: WireSpan): void {
    if (this.#followers.size)
      this.#tell({ type: 'trace.span', conversationId: this.id, turnId, span, at: span.startedAt })
  }

  /**
   * Everything after `after`, then the text of what is being written, then what comes. A number that this log does not
   * have yet belongs to another log: `resync` says so, and the client fetches the conversation anew.
   */
  follow(after: number, follower: Follower): () => void {
    const at = Date.now()
    if (after > this.seq) follower({ type: 'resync', conversationId: this.id, seq: this.seq, at })
    else for (const event of this.since(after)) follower(event)
    for (const event of this.#live.events(this.id, at)) follower(event)
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
  since(after: number): readonly Event[] {
    const first = this.#log[0]?.seq ?? 1
    return this.#log.slice(Math.max(0, after - first + 1))
  }

  /** Starts a turn at the head, or at another message, on a branch. */
  start(input: NewTurn): { readonly turnId: string; readonly seq: number } {
    const handle = this.#handleAt(input.parentId)
    const turn = handle.send(messageOf(input))
    this.#chat = handle
    this.adopt(turn, handle)
    return { turnId: turn.id, seq: this.#turns.startedAt(turn.id) ?? this.seq }
  }
  /** Takes a turn into its care: one it started, or one that goes on after a restart. */
  adopt(turn: Turn, handle: Conversation = this.#chat): void {
    this.#running.set(turn.id, { turn, handle })
    void turn.settled.then(() => {
      this.#running.delete(turn.id)
      this.#ended.set(turn.id, turn)
      if (this.#ended.size > 100) this.#ended.delete(this.#ended.keys().next().value ?? '')
    })
  }

  #handleAt(parentId: string | null | undefined): Conversation {
    const chat = this.#chat
    if (parentId === undefined || parentId === (chat.head ?? null)) return chat
    for (const { handle, turn } of this.#running.values())
      if (handle.head === parentId && !turn.ended)
        throw new TurnbuckleError(
          'turn.running',
          'A turn is running there. Wait for it, interject, or branch off earlier.',
        )
    return chat.fork(parentId)
  }

  /** A turn that runs. One that ended is refused with `turn.ended`. */
  runningTurn(id: string): Turn {
    const turn = this.#running.get(id)?.turn
    if (turn && !turn.ended) return turn
    throw new TurnbuckleError('turn.ended', 'The turn is over.')
  }
  turn(id: string): Turn | undefined {
    return this.#running.get(id)?.turn ?? this.#ended.get(id)
  }
  get turnsRunning(): readonly Turn[] {
    return Array.from(this.#running.values(), ({ turn }) => turn).filter(turn => !turn.ended)
  }
  answer(requestId: string, answer: unknown): void {
    this.#chat.answer(requestId, answer)
  }

  change({ title, head }: { readonly title?: string | undefined; readonly head?: string | undefined }): void {
    if (head !== undefined && head !== this.#chat.head) this.#moveTo(head)
    if (title !== undefined) this.#chat.title = title
  }
  /** While a turn runs at the head, the head moves on a handle of its own and the turn goes on. */
  #moveTo(id: string): void {
    const tip = [...this.#running.values()].find(({ handle }) => handle.head === id)
    if (tip) {
      this.#chat.emit({ type: 'head.moved', from: this.#chat.head, to: id })
      this.#chat = tip.handle
      return
    }
    const free = this.#chat.fork(this.#chat.head ?? null)
    free.checkout(id)
    this.#chat = free
  }

  /** Hides a message and everything below it. The log keeps it. */
  hide(messageId: string): void {
    const nodes = this.#chat.tree
    const node = nodes.find(({ id }) => id === messageId)
    if (!node || this.#hidden.has(messageId)) throw missing('message', messageId)
    const below = subtree(nodes, new Set([messageId]))
    for (const { handle } of this.#running.values())
      if (handle.head !== undefined && below.has(handle.head))
        throw new TurnbuckleError('turn.running', 'A turn is running below that message. Stop it first.')
    if (this.#chat.head !== undefined && below.has(this.#chat.head)) {
      if (node.parentId === undefined) this.#toBeginning()
      else this.#moveTo(node.parentId)
    }
    this.#chat.emit({ type: 'message.hidden', messageId })
  }

  #toBeginning(): void {
    this.#chat.emit({ type: 'head.moved', from: this.#chat.head, to: null })
    this.#chat = this.#chat.fork(null)
  }

  view(): WireConversation {
    const all = this.#chat.tree
    const hidden = this.#hidden.size ? subtree(all, this.#hidden) : this.#hidden
    const nodes = all.filter(({ id }) => !hidden.has(id)).map(wireNode)
    const head = this.#chat.head ?? null
    return {
      id: this.id,
      title: this.title,
      head,
      seq: this.seq,
      nodes,
      turns: this.#turns.list,
      requests: this.requests,
      calls: this.#turns.calls,
    }
  }
  get title(): string {
    return this.#chat.title ?? this.#turns.firstText ?? ''
  }
  summary(): ConversationSummary {
    const { id, title, createdAt, updatedAt, running } = this
    const { usage, messages } = this.#turns
    return {
      id,
      title,
      head: this.#chat.head ?? null,
      createdAt,
      updatedAt,
      messages,
      usage,
      ...(usage.cost === undefined ? {} : { cost: usage.cost }),
      running,
      waiting: this.#chat.requests.length,
    }
  }

  delete(): void {
    this.#chat.delete()
    this.#leave()
    this.#followers.clear()
  }
}

function subtree(nodes: Conversation['tree'], roots: ReadonlySet<string>): Set<string> {
  const inside = new Set(roots)
  for (const { id, parentId } of nodes) if (parentId !== undefined && inside.has(parentId)) inside.add(id)
  return inside
}

const messageOf = ({ text, attachments = [] }: NewTurn): NewMessage => ({
  role: 'user',
  content: [
    ...(text || !attachments.length ? [{ type: 'text' as const, text }] : []),
    ...attachments.map(file => ({ type: 'file' as const, ...file })),
  ],
})
