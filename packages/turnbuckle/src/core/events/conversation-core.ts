import { messageOf } from '../base/errors.ts'
import { none, without } from '../base/lists.ts'
import type { Clock } from '../base/ports.ts'
import { Tree, type TreeNode } from '../history/tree.ts'
import type {
  ConversationCore as ConversationCoreType,
  Requests as RequestsType,
  ResumedTurn,
} from '../types/conversation-core.ts'
import type { Journal, OutsideTurns } from '../types/journal.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { deltaEvent } from './event-makers.ts'
import type { Event, MessageDelta } from './events.ts'
import type { Delta, Listener } from './listener.ts'
import { type Keeping, LazyEvent, type News, type TellableEvent, type WhenWriter, whenWriter } from './news.ts'
import { plainEvent } from './plain-event.ts'
import { Requests } from './requests.ts'

/** A conversation that any number of handles share: the tree, the requests, the running turns and the listeners. */
export class ConversationCore implements ConversationCoreType {
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
  outsideTurns: OutsideTurns | undefined
  /** Turns that a process has left unfinished, by id. */
  #unfinished: Map<string, UnfinishedTurn> | undefined
  owner: string | undefined
  /** The turn whose call this conversation works for, where its agent was called as a tool. */
  caller: string | undefined
  /** The message that a handle has moved to, or that the log has as head; `latest` comes before it. */
  head: TreeNode | undefined
  latest: TurnState | undefined
  /** The turn that was resumed last, and when its after hooks are over: handles opened before go on after it. */
  resumed: ResumedTurn | undefined
  title: string | undefined
  deleted = false
  seq = 0

  constructor(id: string, clock: Clock) {
    this.id = id
    this.clock = clock
  }

  get requests(): RequestsType {
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

  /**
   * The one way in which an event is told. Gives a promise of when the log has it, where that waits for this process to be the log's
   * writer. An event that a resumed turn has in its log already is not told again.
   */
  tell(news: News, turn?: TurnState, keeping: Keeping = 'kept'): Promise<void> | undefined {
    if (keeping === 'passing') {
      if (turn) this.#pass(bodyOf(news) as Event, turn)
      return undefined
    }
    if (news instanceof LazyEvent && turn && !this.journal && !this.#isHeard(turn)) {
      news.seq = ++this.seq
      news.at = turn.time.at
      turn.events.push(news)
      return undefined
    }
    if (keeping !== 'kept' && keeping !== 'unkept') return this.#tellOutside(bodyOf(news), keeping)
    this.#keep(bodyOf(news), turn, keeping)
    return undefined
  }

  #keep(body: TellableEvent, turn: TurnState | undefined, keeping: 'kept' | 'unkept'): void {
    const isKept = keeping === 'kept'
    const event = (isKept && this.journal ? plainEvent(body) : body) as Event
    if (isKept && turn?.replay.takeTold(event)) return
    event.conversationId = this.id
    // The one place where an event that is kept gets its number, but for those that nobody hears.
    if (isKept) event.seq = ++this.seq
    event.at = this.clock.now()
    if (turn) event.turnId = turn.id
    if (isKept && this.journal) this.journal.event(event, () => this.#deliver(event, turn, true))
    else this.#deliver(event, turn, true)
    // Last: a hook may answer with an event of its own, which comes after. An abandoned turn has no hooks to tell.
    if (isKept) turn?.tellHooks(event)
  }
  #pass(event: Event, turn: TurnState): void {
    if (!this.#isHeard(turn)) return
    event.conversationId = this.id
    event.at = this.clock.now()
    event.turnId = turn.id
    if (this.journal) this.journal.behind(() => this.#deliver(event, turn, false))
    else this.#deliver(event, turn, false)
    turn.tellHooks(event)
  }
  /**
   * The way of a reply's text while it grows, which is not kept. Deltas are many: they become events only for whoever reads events, and a
   * closure only on a log.
   */
  passDelta(delta: MessageDelta, turn: TurnState): void {
    if (this.journal) this.#deliverBehind(this.journal, delta, turn)
    else this.#deliverDelta(delta, turn)
    if (turn.hooks.onEvent.length) turn.tellHooks(deltaEvent(delta, turn.id, this))
  }
  #deliverBehind(journal: Journal, delta: MessageDelta, turn: TurnState): void {
    journal.behind(() => this.#deliverDelta(delta, turn))
  }
  #tellOutside(body: TellableEvent, keeping: 'nextWrite' | WhenWriter): Promise<void> | undefined {
    if (this.outsideTurns) return this.outsideTurns.tell(body, keeping)
    if (keeping !== 'nextWrite') keeping.change?.(true)
    this.#keep(body, undefined, 'kept')
    return undefined
  }
  /** Resolves when every event so far is in the log. Rejects where the log has refused one. */
  async kept(): Promise<void> {
    await this.outsideTurns?.kept()
    await this.journal?.barrier()
  }

  #isHeard(turn: TurnState): boolean {
    return turn.listeners.length > 0 || this.listeners.length > 0 || turn.hooks.onEvent.length > 0
  }
  #deliver(event: Event, turn: TurnState | undefined, isKeptInTurn: boolean): void {
    if (isKeptInTurn) turn?.events.push(event)
    for (const listener of turn?.listeners ?? none) listener.event(event)
    this.#callListeners(event, undefined)
  }
  #deliverDelta(delta: MessageDelta, turn: TurnState): void {
    const { listeners } = turn
    for (let i = 0; i < listeners.length; i++) listeners[i]?.delta(delta)
    if (!this.listeners.length) return
    const { messageId, text, offset, reasoning = false } = delta
    this.#callListeners(undefined, { turnId: turn.id, messageId, text, offset, reasoning })
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
      this.tell(
        { type: 'hook.failed', name: 'listener', point: 'subscribe', error: messageOf(error) },
        undefined,
        whenWriter,
      )
  }
}

const bodyOf = (news: News): TellableEvent => (news instanceof LazyEvent ? news.body() : news)
