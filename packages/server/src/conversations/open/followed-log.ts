import { type Conversation, type Event, type Turn, TurnbuckleError } from 'turnbuckle'
import { ConversationView, type WireTurn } from 'turnbuckle/client'
import type { SharedTurns } from 'turnbuckle/stores'
import { storeFaultWords } from '../../base/store-faults.ts'
import { EventFeed } from '../../feeds/event-feed.ts'
import type { SubAgentEvent } from '../../feeds/sub-agent-events.ts'
import { LiveElsewhere } from '../elsewhere/live-elsewhere.ts'
import { RunningTurns } from '../turns/running-turns.ts'
import { ConversationHead } from './conversation-head.ts'
import {
  type ConversationLifecycle,
  type Happening,
  type LifecycleAction,
  mustReadOn,
  needsHandle,
  nextState,
} from './conversation-lifecycle.ts'
import { lostTurn } from './lost-turn.ts'
import { withoutStoreDetails } from './without-store-details.ts'

/** Ended turns of which one may be asked how they went: a store has that too. */
const keptEnded = { withStore: 10, without: 100 }
/** Milliseconds that a caller waits for the log to have what it did. */
const patience = 10_000

/** All that an open conversation tells the list of open ones. */
export type ConversationNews =
  /** The log has one more event. Told before any follower hears of it. */
  | { readonly type: 'event'; readonly event: Event }
  /** A sub-agent that works for a turn here has done something, in a conversation of its own. */
  | { readonly type: 'subAgent'; readonly event: SubAgentEvent }
  /** The conversation has another summary. */
  | { readonly type: 'changed' }
  /** A turn, a caller or a follower has left: the conversation may be unused now. */
  | { readonly type: 'rest' }
  /** A turn does not run here any more, and the log has no end of it: another process works on it, or none. */
  | { readonly type: 'turnLost' }

export interface FollowedLogOptions {
  /** The events that the log had when it was read. */
  readonly log: readonly Event[]
  /** Reads the log's events after a sequence number. */
  readonly read?: ((after: number) => Promise<readonly Event[]>) | undefined
  /** Goes on with the unfinished turns of the log; `undefined` where the server is closing. */
  readonly resume: () => readonly Turn[] | undefined
  readonly tellNews: (news: ConversationNews) => void
  /** Told of errors of the store that ended a turn. */
  readonly report?: ((error: unknown) => void) | undefined
  /** The turns of this process for others on the store, and theirs for this one. */
  readonly shared: SharedTurns
}

/** The log of one open conversation as this process follows it, with the turns of it that run here. */
export class FollowedLog {
  readonly view: ConversationView
  readonly feed: EventFeed
  readonly head: ConversationHead
  readonly turns: RunningTurns
  /** Turns of other processes as they tell them, beside the log. */
  readonly #live: LiveElsewhere
  readonly #options: FollowedLogOptions
  /** A reading of events that other processes have written, under way. */
  #reading: Promise<void> | undefined
  #isHearingOthers = false
  /** A living process had the lease when the store was last asked or heard of. */
  #isHeld = false
  #lifecycle: ConversationLifecycle = 'opening'
  /** The handle that events are heard from: the last that was opened. */
  #heard: { readonly handle: Conversation; readonly stop: () => void }
  /** The log's sequence number when a turn of it could not go on here. */
  #stuckAt: number | undefined
  /** Turns whose end was told although the log does not have it, for as long as nothing more of them is in the log. */
  readonly #endsTold = new Set<string>()
  /** When the store's log began: one with another beginning is another conversation under the same id. */
  #begunAt: number | undefined

  constructor(handle: Conversation, options: FollowedLogOptions) {
    const { id } = handle
    const { log, read, tellNews, shared } = options
    this.#options = options
    this.turns = new RunningTurns(read ? keptEnded.withStore : keptEnded.without)
    this.view = ConversationView.ofLog(id)
    this.head = new ConversationHead(handle, this.view, this.turns)
    this.feed = new EventFeed({ id, view: this.view, log, read, onEvent: event => tellNews({ type: 'event', event }) })
    this.#live = new LiveElsewhere({
      id,
      shared,
      view: this.view,
      isWanted: () => this.feed.isWatched && this.#mayBeWorkedOn,
      readTo: seq => this.readOthers(seq),
      hear: event => this.#hear(event),
    })
    this.#heard = this.#listenTo(handle)
  }
  #listenTo(handle: Conversation): { readonly handle: Conversation; readonly stop: () => void } {
    const stop = handle.subscribe({
      event: event => {
        // A terminal event without a number is not in the log: the turn was abandoned.
        if (event.seq === undefined && 'outcome' in event) void this.#loseTurn(event)
        else this.#hear(withoutStoreDetails(event))
      },
      delta: delta => this.feed.hearDelta(delta),
    })
    return { handle, stop }
  }
  #hear(event: Event): void {
    if (event.seq !== undefined && event.turnId !== undefined) this.#endsTold.delete(event.turnId)
    this.feed.hear(event)
    if (event.type === 'agent.event') this.#options.tellNews({ type: 'subAgent', event })
  }

  /**
   * Takes in events that other processes have written, up to a sequence number at least, and tells followers. The handle has not read them:
   * the next caller reads the rest. Nothing is read where the log has them already, or this process is the writer.
   */
  async readOthers(seq: number): Promise<void> {
    while (this.#reading) await this.#reading
    if (seq <= this.seq || this.isWriting) return
    this.#reading = this.#readOthers().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }
  async #readOthers(): Promise<void> {
    const missed = (await this.#options.read?.(this.seq)) ?? []
    this.#isHearingOthers = true
    try {
      for (const event of missed) this.feed.hear(event)
    } finally {
      this.#isHearingOthers = false
    }
    if (missed.length) this.happen('fellBehind')
    this.followElsewhere()
  }
  /** True while events are told that the handle has not read. */
  get isHearingOthers(): boolean {
    return this.#isHearingOthers
  }
  /** Begins or ends to follow turns of other processes live: somebody has come or left, or a turn has begun or ended. */
  followElsewhere(): void {
    this.#live.adjust()
  }

  /** Moves on in the table of `conversation-lifecycle.ts`, and carries out the actions it names. */
  happen(happening: Happening): void {
    const { to, actions } = nextState(this.#lifecycle, happening)
    this.#lifecycle = to
    for (const action of actions) this.#act[action]()
  }
  readonly #act: Readonly<Record<LifecycleAction, () => void>> = {
    replaceIdleHandle: () => {
      if (!this.turns.list.length) this.head.beginAt(this.#heard.handle)
    },
    replaceHandle: () => this.head.beginAt(this.#heard.handle),
    forgetGrowingReplies: () => this.view.forgetLive(),
    resumeTurns: () => this.#resumeTurns(),
    reportLostTurn: () => this.#options.tellNews({ type: 'turnLost' }),
    stopListening: () => this.#heard.stop(),
    tellDeleted: () => {
      this.feed.tellDeleted()
      this.followElsewhere()
    },
  }
  get lifecycle(): ConversationLifecycle {
    return this.#lifecycle
  }
  /** True where the rest of the log is read before anybody is given the conversation. */
  get mustReadOn(): boolean {
    return mustReadOn(this.#lifecycle)
  }
  /** True where the handle is of no use any more, or turns go on once a new one is read. */
  get needsHandle(): boolean {
    return needsHandle(this.#lifecycle)
  }
  /** Takes in the events that the log has more, with a handle that was just opened. Followers and callers stay. */
  readOn(handle: Conversation, missed: readonly Event[]): void {
    this.#heard.stop()
    this.#heard = this.#listenTo(handle)
    for (const event of missed) this.feed.hear(event)
    this.happen('readOn')
    this.followElsewhere()
  }
  /** Acts on a turn's end that the log does not have. Where another process works on the turn, followers hear no end. */
  async #loseTurn(event: Event): Promise<void> {
    const { turnId = '' } = event
    this.happen('fellBehind')
    const { error } = (await this.turns.get(turnId)?.settled) ?? {}
    const hasBegun = this.view.turn(turnId) !== undefined
    const { happening, isEnd, isStuck } = lostTurn(error, hasBegun)
    if (isStuck) this.#stuckAt = this.seq
    // Who has asked for a turn that has not begun is told, and that is reported.
    if (error !== undefined && hasBegun && storeFaultWords(error)) this.#options.report?.(error)
    // Whoever looks at the conversation has the turn tried again, and it may fail again: one end is told.
    if (isEnd && !this.#endsTold.has(turnId)) {
      this.#endsTold.add(turnId)
      this.feed.hear(withoutStoreDetails(event, error))
    }
    this.happen(happening)
  }
  #resumeTurns(): void {
    const resumed = this.#options.resume()
    for (const turn of resumed ?? []) this.adopt(turn)
    if (resumed) this.#options.tellNews({ type: 'changed' })
  }
  /** Takes a turn into its care: one that was started here, or, without a handle, one that was resumed. */
  adopt(turn: Turn, handle?: Conversation): void {
    this.head.moveWith(turn, handle)
    this.#options.shared.carry(handle ?? this.#heard.handle, turn)
    void this.turns.add(turn).then(() => this.#options.tellNews({ type: 'rest' }))
  }

  get seq(): number {
    return this.feed.seq
  }
  get begunAt(): number | undefined {
    return this.#begunAt
  }
  /** Keeps the first time that is given. */
  setBegunAt(at: number | undefined): void {
    this.#begunAt ??= at
  }
  /** True while this process is the one that writes to the log. */
  get isWriting(): boolean {
    return this.turns.hasBegun
  }
  /** True where a turn cannot go on here for as long as the log has no more events. */
  get isStuck(): boolean {
    return this.#stuckAt === this.seq
  }
  /** True while a living process works on turns that do not run here. */
  get isAtWorkElsewhere(): boolean {
    return this.#isHeld && this.turnsElsewhere.length > 0
  }
  /** True for an unfinished turn that this process does not work on: it runs elsewhere, or waits here for the process that has it. */
  mayRunElsewhere(turnId: string): boolean {
    return this.view.turn(turnId)?.status === 'running' && !this.turns.isAtWork(turnId)
  }
  get #mayBeWorkedOn(): boolean {
    return !this.isWriting && this.view.runningTurns.some(({ id }) => this.mayRunElsewhere(id))
  }
  /** True where a living process works on a turn, and this one does not: of a turn that waits in no process nobody can be asked. */
  get isAskable(): boolean {
    return this.#isHeld && this.#mayBeWorkedOn
  }
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
  }
  /** Unfinished turns of the log that do not run here. */
  get turnsElsewhere(): readonly WireTurn[] {
    const here = new Set(this.turns.list.map(({ id }) => id))
    return this.view.runningTurns.filter(({ id }) => !here.has(id))
  }

  /**
   * Resolves once `test` holds after an event of the log; rejects with `store.failed` after ten seconds, and where the conversation is deleted
   * meanwhile.
   */
  async until(test: () => boolean, also?: Promise<unknown>): Promise<void> {
    const isDeleted = () => this.#lifecycle === 'deleted'
    if (!(await this.feed.until(() => test() || isDeleted(), patience, also))) {
      this.happen('fellBehind')
      throw new TurnbuckleError('store.failed', 'The log was not written in time.')
    }
    if (isDeleted() && !test()) throw new TurnbuckleError('conversation.deleted', 'The conversation was deleted.')
  }
  /** Does something, and waits until the log has an event of that type. */
  async untilLogged(type: string, work: () => Promise<void> | undefined): Promise<void> {
    const { seq } = this
    await work()
    await this.until(() => this.feed.since(seq).some(event => event.type === type))
  }
}
