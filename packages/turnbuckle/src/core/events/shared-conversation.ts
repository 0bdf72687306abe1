import { messageOf } from '../base/errors.ts'
import { none, without } from '../base/lists.ts'
import type { Call, ToolResult } from '../base/message.ts'
import type { Clock, Usage } from '../base/ports.ts'
import { Tree, type TreeNode } from '../history/tree.ts'
import type { Aside, Change, Journal } from '../types/journal.ts'
import type { SharedConversation as SharedConversationType } from '../types/shared-conversation.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import type { Maker } from './event-log.ts'
import type { CustomEvent, Event, EventBody } from './events.ts'
import type { Delta, Keeping, Listener } from './listener.ts'
import { Requests } from './requests.ts'

/** A conversation that any number of handles share: the tree, the requests, the running turns and the listeners. */
export class SharedConversation implements SharedConversationType {
  readonly id: string
  readonly clock: Clock
  readonly tree: Tree = new Tree()
  #requests: Requests | undefined
  /** As `listeners`, replaced and not changed: a loop over the list may take a turn out of it. */
  running: readonly TurnState[] = none
  #states: Map<string, unknown> | undefined
  listeners: readonly Listener[] = none
  /** The durable side; without one the conversation lives in memory. */
  journal: Journal | undefined
  /** Events outside of turns, on a log. */
  aside: Aside | undefined
  /** Turns that a process has left unfinished, by id. */
  #unfinished: Map<string, UnfinishedTurn> | undefined
  owner: string | undefined
  /** The message that a handle has moved to, or that the log has as head; `latest` comes before it. */
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

  /** Tells an event. An event that a resumed turn has in its log already is not told again. */
  tell(body: EventBody | CustomEvent, turn: TurnState | undefined, keeping: Keeping = 'kept'): Event {
    const event = body as Event
    if (keeping === 'kept' && turn?.replay.told(event)) return event
    if (keeping === 'passing' && turn && !this.#isHeard(turn)) return event
    event.conversationId = this.id
    // The one place where an event gets its number.
    if (keeping === 'kept') event.seq = ++this.seq
    event.at = this.clock.now()
    if (turn) event.turnId = turn.id
    if (keeping === 'unkept' || !this.journal) this.#deliver(event, turn, keeping)
    else if (keeping === 'kept') this.journal.event(event, () => this.#deliver(event, turn, keeping))
    else this.journal.behind(() => this.#deliver(event, turn, keeping))
    // Last: a hook may answer with an event of its own, which comes after. An abandoned turn has no hooks to tell.
    if (keeping !== 'unkept') turn?.tellHooks(event)
    return event
  }

  /** As `tell`, for events of every step: no event is made while nobody listens. */
  tellLazily<First, Second>(turn: TurnState, make: Maker<First, Second>, first: First, second: Second): void {
    if (this.journal || turn.over || this.#isHeard(turn)) this.tell(make(first, second), turn.open)
    else turn.events.later(make, first, second, ++this.seq, turn.time.at)
  }

  /** As `tell` with `passing`, for the text of a reply that grows. */
  tellDelta(turn: TurnState, messageId: string, text: string, offset: number, reasoning: boolean): void {
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

  /** As `tell` without a turn. On a log it waits to be the writer, and gives a promise of when the log has the event. */
  tellOutside(body: EventBody | CustomEvent, change?: Change, unheard?: boolean): Promise<void> | undefined {
    if (this.aside) return this.aside.say(body, change, unheard)
    change?.(true)
    this.tell(body, undefined)
    return undefined
  }
  /** Tells results that were made up for calls that were left open. */
  makeUp(nodes: readonly TreeNode[]): void {
    if (this.aside) this.aside.makeUp(nodes)
    else for (const node of nodes) this.tell(addedEvent(node), undefined)
  }
  /** Resolves when every event so far is in the log. Rejects where the log has refused one. */
  async kept(): Promise<void> {
    await this.aside?.kept()
    await this.journal?.barrier()
  }

  #isHeard(turn: TurnState): boolean {
    return turn.listeners.length > 0 || this.listeners.length > 0 || turn.hooks.onEvent.length > 0
  }
  #deliver(event: Event, turn: TurnState | undefined, keeping: Keeping): void {
    if (keeping !== 'passing') turn?.events.push(event)
    for (const listener of turn?.listeners ?? none) listener.event(event)
    this.#callListeners(event, undefined)
  }
  #deliverDelta(delta: Delta, turn: TurnState): void {
    const { messageId, text, offset, reasoning } = delta
    for (const reader of turn.listeners) reader.hear(messageId, text, offset, reasoning)
    this.#callListeners(undefined, delta)
  }
  /** A listener that throws is told nothing more: it must not break the loop. The others hear of it after this event. */
  #callListeners(event: Event | undefined, delta: Delta | undefined): void {
    let broken: unknown[] | undefined
    for (const listener of this.listeners)
      try {
        if (event) listener.event(event)
        if (delta) listener.delta(delta)
      } catch (error) {
        this.listeners = without(this.listeners, listener)
        broken = [...(broken ?? []), error]
      }
    for (const error of broken ?? none)
      this.tellOutside({ type: 'hook.failed', name: 'listener', point: 'subscribe', error: messageOf(error) })
  }
}

export const deltaEvent = (delta: Delta, conversation: SharedConversationType): Event => ({
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
