import { messageOf } from '../base/errors.ts'
import type { Call, ToolResult } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Clock, Usage } from '../base/ports.ts'
import { without } from '../base/without.ts'
import type { Aside, Change, Journal, UnfinishedTurn } from '../durable/journal-port.ts'
import { Tree, type TreeNode } from '../history/tree.ts'
import type { TurnState } from '../turn/turn-state.ts'
import type { Maker } from './event-log.ts'
import type { CustomEvent, Event, EventBody } from './events.ts'
import { Requests } from './requests.ts'

/** Someone who follows a conversation. Deltas are not in the log: only who listens gets them. */
export interface Listener {
  event(event: Event): void
  delta(delta: Delta): void
}

/** Someone who reads one turn. */
export interface TurnListener {
  event(event: Event): void
  /** A delta, as bare as it is: they are many. */
  hear(messageId: string, text: string, offset: number, reasoning: boolean): void
}

export interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  /** Characters of this message (or of its reasoning) before these. */
  readonly offset: number
  readonly reasoning: boolean
}

/** One conversation: the tree, what is pending, and who listens. Any number of handles share it. */
export class SharedConversation {
  readonly id: string
  readonly clock: Clock
  readonly tree: Tree = new Tree()
  #requests: Requests | undefined
  /** Lists that are replaced, not changed: nearly always empty or of one, and who goes through one may leave it. */
  running: readonly TurnState[] = none
  #states: Map<string, unknown> | undefined
  listeners: readonly Listener[] = none
  /** The durable side; without one the conversation lives in memory. */
  journal: Journal | undefined
  /** What is said outside of turns, on a log. */
  aside: Aside | undefined
  /** Turns that a process has left unfinished, by id. */
  #unfinished: Map<string, UnfinishedTurn> | undefined
  owner: string | undefined
  /** Where the conversation is: the tip of the turn that began last, or what somebody has moved to since. */
  head: TreeNode | undefined
  latest: TurnState | undefined
  title: string | undefined
  deleted = false
  seq = 0

  constructor(id: string, clock: Clock) {
    this.id = id
    this.clock = clock
  }

  get requests(): Requests {
    this.#requests ??= new Requests(this)
    return this.#requests
  }
  /** Conversation-scoped states, by middleware. Never rewound: budgets live here. */
  get states(): Map<string, unknown> {
    this.#states ??= new Map()
    return this.#states
  }

  get unfinished(): Map<string, UnfinishedTurn> {
    this.#unfinished ??= new Map()
    return this.#unfinished
  }

  get headId(): string | undefined {
    return (this.latest?.branch.tip ?? this.head)?.id
  }

  /** A turn of this conversation runs no more. */
  drop(turn: TurnState): void {
    this.running = without(this.running, turn)
  }

  /** The one place where an event gets its number. What is in the log already is not told again. */
  emit(body: EventBody | CustomEvent, turn: TurnState | undefined): Event {
    const event = body as Event
    if (turn?.replay.told(event)) return event
    event.conversationId = this.id
    event.seq = ++this.seq
    event.at = this.clock.now()
    if (turn) event.turnId = turn.id
    if (this.journal) this.journal.event(event, () => this.#deliver(event, turn))
    else this.#deliver(event, turn)
    // Last: what a hook does about it is news of its own, and comes after.
    turn?.tellHooks(event)
    return event
  }

  /** An event outside any turn. On a log this gives when that has it. */
  outside(body: EventBody | CustomEvent, change?: Change, unheard?: boolean): Promise<void> | undefined {
    if (this.aside) return this.aside.say(body, change, unheard)
    change?.(true)
    this.emit(body, undefined)
    return undefined
  }
  /** Results of calls that were left open. */
  makeUp(nodes: readonly TreeNode[]): void {
    if (this.aside) this.aside.makeUp(nodes)
    else for (const node of nodes) this.emit(addedEvent(node), undefined)
  }
  /** Everything said so far is in the log. Rejects where something was refused. */
  async kept(): Promise<void> {
    await this.aside?.kept()
    await this.journal?.barrier()
  }

  /** News without a number: the log does not have it. */
  tell(body: EventBody | CustomEvent, turn?: TurnState): void {
    const stamp = turn ? { turnId: turn.id } : {}
    this.#deliver({ ...body, conversationId: this.id, at: this.clock.now(), ...stamp } as Event, turn)
  }

  /** News of the moment, behind what is kept so far: neither the log nor the turn keeps it. */
  pass(body: EventBody, turn: TurnState): void {
    if (!turn.listeners.length && !this.listeners.length && !turn.hooks.onEvent.length) return
    const event = { ...body, conversationId: this.id, at: this.clock.now(), turnId: turn.id } as Event
    const deliver = () => {
      for (const reader of turn.listeners) reader.event(event)
      this.#tell(event, undefined)
    }
    if (this.journal) this.journal.behind(deliver)
    else deliver()
    turn.tellHooks(event)
  }

  #deliver(event: Event, turn: TurnState | undefined): void {
    turn?.events.push(event)
    for (const listener of turn?.listeners ?? []) listener.event(event)
    this.#tell(event, undefined)
  }

  /** A listener that throws is told nothing more: it must not break the loop. The others hear of it after this. */
  #tell(event: Event | undefined, delta: Delta | undefined): void {
    let broken: unknown[] | undefined
    for (const listener of this.listeners)
      try {
        if (event) listener.event(event)
        if (delta) listener.delta(delta)
      } catch (error) {
        this.listeners = without(this.listeners, listener)
        broken = [...(broken ?? []), error]
      }
    for (const error of broken ?? [])
      this.outside({ type: 'hook.failed', name: 'listener', point: 'subscribe', error: messageOf(error) })
  }

  /** The same for what happens in every step: nothing is made of it while nobody listens. */
  news<First, Second>(turn: TurnState, make: Maker<First, Second>, first: First, second: Second): void {
    if (this.journal || turn.over || turn.listeners.length || this.listeners.length || turn.hooks.onEvent.length)
      this.emit(make(first, second), turn.open)
    else turn.events.later(make, first, second, ++this.seq, turn.at)
  }

  delta(turn: TurnState, messageId: string, text: string, offset: number, reasoning: boolean): void {
    const { onEvent } = turn.hooks
    if (!this.journal && !this.listeners.length && !onEvent.length) {
      for (const reader of turn.listeners) reader.hear(messageId, text, offset, reasoning)
      return
    }
    const delta: Delta = { turnId: turn.id, messageId, text, offset, reasoning }
    if (this.journal) this.journal.behind(() => this.#deliverDelta(delta, turn))
    else this.#deliverDelta(delta, turn)
    if (onEvent.length) turn.tellHooks(deltaEvent(delta, this))
  }
  #deliverDelta(delta: Delta, turn: TurnState): void {
    const { messageId, text, offset, reasoning } = delta
    for (const reader of turn.listeners) reader.hear(messageId, text, offset, reasoning)
    this.#tell(undefined, delta)
  }
}

export const deltaEvent = (delta: Delta, conversation: SharedConversation): Event => ({
  type: 'message.delta',
  conversationId: conversation.id,
  at: conversation.clock.now(),
  turnId: delta.turnId,
  messageId: delta.messageId,
  text: delta.text,
  offset: delta.offset,
  ...(delta.reasoning ? { reasoning: true as const } : {}),
})

export const startedEvent = ({ branch, link: { tag } }: TurnState): EventBody => ({
  type: 'turn.started',
  parentId: branch.origin?.id,
  ...(tag === undefined ? {} : { tag }),
})

export const addedEvent = ({ message, parentId }: TreeNode): EventBody => ({
  type: 'message.added',
  messageId: message.id,
  parentId,
  role: message.role,
  message,
})

export const pendingEvent = ({ id, name, args }: Call): EventBody => ({ type: 'tool.pending', callId: id, name, args })

export const executingEvent = ({ id, name, args }: Call): EventBody => ({
  type: 'tool.executing',
  callId: id,
  name,
  args,
})

export const endedEvent = (
  { id, name }: Call,
  { status, value, durationMs = 0 }: ToolResult & { readonly durationMs?: number },
): EventBody => ({
  type: status === 'ok' ? 'tool.completed' : 'tool.failed',
  callId: id,
  name,
  status,
  result: value,
  durationMs,
})

export const usageEvent = ({ id, usage }: TreeNode, total: Usage): EventBody => ({
  type: 'usage',
  messageId: id,
  ...(usage as Usage),
  total,
})
