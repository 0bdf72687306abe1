import { isDeepStrictEqual } from 'node:util'
import { type Conversation, type Event, type Turn, TurnbuckleError, type Use } from 'turnbuckle'
import type {
  ConversationSettings,
  ConversationSummary,
  ConversationView,
  WireConversation,
  WireHidden,
} from 'turnbuckle/client'
import { isTurnbuckleError } from '../../base/is-turnbuckle-error.ts'
import type { Follower, Pace } from '../../feeds/paced-follower.ts'
import type { SpanNews } from '../../inspector/inspector.ts'
import { type ConversationSettingsChange, changedSettings } from '../../settings/changed-settings.ts'
import { OtherWriter } from '../elsewhere/other-writer.ts'
import type { RootConversation } from '../stored/conversation-index.ts'
import { titleFromMessage } from '../stored/title-from-text.ts'
import type { AskedTurn, StartedTurn } from '../turns/asked-turn.ts'
import type { TurnRunner } from '../turns/turn-runner.ts'
import type { TurnInput } from '../turns/user-message.ts'
import { type ConversationNews, FollowedLog, type FollowedLogOptions } from './followed-log.ts'
import { HiddenMessages } from './hidden-messages.ts'
import { isHearsay } from './is-hearsay.ts'
import { LogWrites, type PersonAnswering } from './log-writes.ts'
import { LoggedRequests } from './logged-requests.ts'
import { OrderedTurns } from './ordered-turns.ts'
import { TurnStarts } from './turn-starts.ts'
import { wireNode } from './wire-node.ts'

export interface OpenConversationOptions extends Omit<FollowedLogOptions, 'tellNews'> {
  readonly owner: string
  readonly createdAt: number
  /** Of a sub-agent's conversation: the one that it works for in the end. */
  readonly root: RootConversation | undefined
  /** Works on turns outside of this process. */
  readonly runner?: TurnRunner | undefined
  /** Reads events that other processes have added to the log. */
  readonly catchUp: () => Promise<void>
  readonly onNews: (news: ConversationNews, conversation: OpenConversation) => void
}

/** A conversation that is open in the server: its turns run here whether or not anybody follows. */
export class OpenConversation {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
  readonly root: RootConversation | undefined
  readonly log: FollowedLog
  /** The questions that its turns put to people. */
  readonly requests: LoggedRequests
  /** The process that works on its turns, where that is another. */
  readonly otherWriter: OtherWriter
  readonly #tellNews: (news: ConversationNews) => void
  readonly #hidden: HiddenMessages
  readonly #starts: TurnStarts
  readonly #writes: LogWrites
  #updatedAt: number
  /** The title from the first message, once it was needed. */
  #titleFromText: string | undefined
  /** Calls that wait for the log to tell of what they did. */
  #callers = 0
  /** An answer given here belongs to a turn that no process works on yet. */
  #answerWaits = false

  constructor(
    handle: Conversation,
    { owner, createdAt, root, runner, catchUp, onNews, ...options }: OpenConversationOptions,
  ) {
    this.id = handle.id
    this.owner = owner
    this.createdAt = createdAt
    this.root = root
    this.#updatedAt = options.log.findLast(isActivity)?.at ?? createdAt
    this.#tellNews = news => onNews(news, this)
    const tellNews = (news: ConversationNews) => {
      this.#tellNews(news)
      if (news.type === 'event') this.#noteEvent(news.event)
    }
    this.log = new FollowedLog(handle, { ...options, tellNews })
    this.requests = new LoggedRequests(this.log.view, owner)
    this.#hidden = new HiddenMessages(this.log)
    this.otherWriter = new OtherWriter(this.id, this.log, options.shared)
    this.#writes = new LogWrites(this.log, this.otherWriter)
    const ordered = runner && new OrderedTurns(this.id, this.log, { runner, catchUp })
    this.#starts = new TurnStarts(this.log, { owner, hidden: this.#hidden, otherWriter: this.otherWriter, ordered })
  }
  #noteEvent(event: Event): void {
    const { type, at } = event
    if (isActivity(event)) this.#updatedAt = at
    // Of what another process has written the summary changes once it is read.
    // The first message is the title until somebody gives another.
    const isTitle = type === 'message.added' && event.role === 'user' && this.#titleFromText === undefined
    if ((isListed(type) || isTitle) && !this.log.isHearingOthers)
      setImmediate(() => this.#tellNews({ type: 'changed' }))
  }
  get #view(): ConversationView {
    return this.log.view
  }
  get #handle(): Conversation {
    return this.log.head.handle
  }

  /** A turn runs, in this process or in another. */
  get isRunning(): boolean {
    return this.runningTurns.length > 0 || this.log.isAtWorkElsewhere
  }
  get isWatched(): boolean {
    return this.log.feed.isWatched
  }
  /** True where no follower, turn, start, caller or answer needs it in memory. */
  get isUnused(): boolean {
    return !this.isWatched && this.log.turns.isEmpty && this.#starts.isEmpty && !this.#callers && !this.#answerWaits
  }
  get answerWaits(): boolean {
    return this.#answerWaits
  }
  /** Keeps it open until the turn that was answered goes on, here or in another process. */
  setAnswerWaits(waits: boolean): void {
    this.#answerWaits = waits
  }
  /** Stays open for as long as a caller waits in `work`. */
  async #withCaller(work: () => Promise<void>): Promise<void> {
    this.#callers++
    try {
      await work()
    } catch (error) {
      // Its handle may be of no use any more: the next caller gets one that was just read.
      const isStale = isHearsay(error) && !this.log.isWriting
      if (isTurnbuckleError(error) && (error.kind === 'store' || isStale)) this.log.happen('fellBehind')
      throw error
    } finally {
      this.#callers--
      this.#tellNews({ type: 'rest' })
    }
  }

  /** Tells a span of a turn to those followers that hear spans, which are not in the log. */
  tellSpan(turnId: string, news: SpanNews): void {
    const { feed } = this.log
    if (!feed.hearsSpans) return
    const common = { conversationId: this.id, turnId, at: Date.now() }
    if ('opened' in news) feed.tellSpan({ type: 'trace.opened', ...common, span: news.opened })
    else feed.tellSpan({ type: 'trace.span', ...common, span: news.ended })
  }
  /** Tells the events after a sequence number, then those that come; with `spans` also spans. Returns a function that ends it. */
  follow(after: number, follower: Follower, pace?: Pace, spans = false): () => void {
    const stop = this.log.feed.follow(after, follower, pace, spans)
    this.log.followElsewhere()
    return () => {
      stop()
      this.log.followElsewhere()
      this.#tellNews({ type: 'rest' })
    }
  }

  /** Starts a turn; the same key starts it once. `use`: middleware of this turn alone. Resolves when that is durable. */
  start(input: TurnInput, by: string, key?: string, use?: readonly Use[]): Promise<StartedTurn> {
    return this.#starts.start({ input, by, use }, key)
  }
  /** Starts a turn that another process was asked for, since this one writes to the log. */
  startHere(turn: AskedTurn): Promise<StartedTurn> {
    return this.#starts.startHere(turn)
  }
  /** Moves the head, as `startHere` starts a turn. */
  moveHere(messageId: string | null): Promise<void> {
    return this.#writes.moveHeadHere(messageId)
  }
  /** A turn that runs here, or was one of the last that did. */
  turn(id: string): Turn | undefined {
    return this.log.turns.get(id)
  }
  get runningTurns(): readonly Turn[] {
    return this.log.turns.list
  }
  get turnIds(): readonly string[] {
    return this.#view.turns.map(({ id }) => id)
  }

  /** Takes an answer of a person, whom the caller knows by their token. */
  answer(requestId: string, answer: unknown, person: Omit<PersonAnswering, 'owner'>): Promise<void> {
    const { owner, requests } = this
    return this.#withCaller(() => this.#writes.answer(requests, requestId, answer, { ...person, owner }))
  }

  /** Renames it, moves its head, or changes its own settings; resolves when the log has it. */
  change({ title, head, ...change }: ConversationChange): Promise<void> {
    return this.#withCaller(async () => {
      const settings = changedSettings(this.settings, change)
      if (!isDeepStrictEqual(settings, this.settings)) await this.#writes.emit({ type: 'settings.changed', settings })
      if (head !== undefined && head !== this.head) {
        this.#hidden.checkShown(head)
        await this.#writes.moveHead(head)
      }
      if (title !== undefined) await this.#writes.rename(title)
    })
  }
  /** Hides a message and everything below it. The log keeps them. */
  hide(messageId: string): Promise<void> {
    return this.#withCaller(async () => {
      const { node, below } = this.#hidden.shownAt(messageId)
      const running = [...this.runningTurns, ...this.log.turnsElsewhere]
      if (running.some(({ id }) => below.has(this.#view.tip(id) ?? '')))
        throw new TurnbuckleError('turn.running', 'A turn is running below that message. Stop it first.')
      if (below.has(this.head ?? '')) await this.#writes.moveHead(node.parentId ?? null)
      await this.#writes.emit({ type: 'message.hidden', messageId })
    })
  }
  /** Takes hiding back: shows a message that was hidden, and everything below it that was not hidden by itself. */
  restore(messageId: string): Promise<void> {
    return this.#withCaller(async () => {
      this.#hidden.checkHidden(messageId)
      await this.#writes.emit({ type: 'message.restored', messageId })
    })
  }
  /** The messages that were hidden. */
  hidden(): WireHidden[] {
    return this.#hidden.list()
  }

  get head(): string | null {
    return this.log.head.id
  }
  get title(): string {
    const { firstUserMessage } = this.#view.facts
    this.#titleFromText ??= firstUserMessage && titleFromMessage(firstUserMessage)
    return this.#handle.title ?? this.#titleFromText ?? ''
  }
  /** The settings that it has of its own, for its next turn. */
  get settings(): ConversationSettings {
    return this.#view.settings
  }
  /** The whole conversation as the wire has it. */
  view(): WireConversation {
    const { id, title, head, settings } = this
    const { turns, requests, wireCalls: calls } = this.#view
    const nodes = this.#hidden.shownTree.map(wireNode)
    const own = Object.keys(settings).length ? { settings } : {}
    return { id, title, head, seq: this.log.seq, at: Date.now(), nodes, turns, requests, calls, ...own }
  }
  summary(): ConversationSummary {
    const { id, title, head, createdAt, isRunning } = this
    const { usage } = this.#view.facts
    return {
      id,
      title,
      head,
      createdAt,
      updatedAt: this.#updatedAt,
      usage,
      ...(usage.cost === undefined ? {} : { cost: usage.cost }),
      running: isRunning,
      waiting: this.#view.requests.length,
    }
  }

  /** Interrupts its turns and deletes its log. Followers hear of it at once. */
  async delete(): Promise<void> {
    const gone = this.#handle.delete()
    this.log.happen('deleted')
    await gone
  }
}

/** Events that change the summary of a conversation. */
const isListed = (type: string): boolean => /^(turn\.|request\.|title\.)/.test(type)

/** A switched middleware does not move a conversation in the list. */
const isActivity = ({ type }: Event): boolean => type !== 'middleware.changed'

interface ConversationChange extends ConversationSettingsChange {
  readonly title?: string | undefined
  readonly head?: string | undefined
}
