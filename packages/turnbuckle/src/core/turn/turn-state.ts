import type { AgentCore } from '../agent/agent.ts'
import type { Conversation } from '../agent/conversation.ts'
import type { Turn, TurnResult } from '../agent/turn.ts'
import { ActiveClock } from '../async/active-clock.ts'
import { CleanUpDeadline } from '../async/clean-up-deadline.ts'
import { InterruptibleWaits } from '../async/interruptible-waits.ts'
import { OneAtATime } from '../async/one-at-a-time.ts'
import { demand, interrupted, TurnbuckleError } from '../base/errors.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { StreamOptions, ToolSpec, Usage } from '../base/ports.ts'
import { without } from '../base/without.ts'
import type { Journal, UnfinishedTurn } from '../durable/journal-port.ts'
import { StateNotes } from '../durable/state-log.ts'
import { EventLog } from '../events/event-log.ts'
import type { CustomEvent, Event, EventBody } from '../events/events.ts'
import type { AskOptions } from '../events/requests.ts'
import { endedEvent, type SharedConversation, type TurnListener } from '../events/shared-conversation.ts'
import { type BranchState, emptyState, type TreeNode } from '../history/tree.ts'
import { callObserver } from '../hooks/call-observer.ts'
import type { Decision, NotedDirective } from '../hooks/directives.ts'
import { afterwards } from '../hooks/each.ts'
import { type HookSet, looksFirst, type Middleware } from '../hooks/hook-set.ts'
import type { Draft } from '../hooks/hook-types.ts'
import { light, perform } from '../hooks/open-stage.ts'
import { StageFrame } from '../hooks/stage-frame.ts'
import type { ManagedLoop } from '../model/managed-loop.ts'
import type { ModelAttempt } from '../model/model-attempt.ts'
import type { Instruction } from '../model/prompt.ts'
import { TurnStreamOptions } from '../model/stream-options.ts'
import { TurnIds } from '../model/turn-ids.ts'
import type { Pipeline } from '../stages/pipeline.ts'
import type { Stage } from '../stages/stage.ts'
import type { BatchCall } from '../tools/batch.ts'
import { StepDraft } from './step-draft.ts'
import type { Ending } from './turn-ending.ts'

/** Where a turn belongs. */
interface TurnLink {
  readonly depth: number
  readonly deepest: number
  readonly parent?: TurnState | undefined
  readonly use?: readonly Middleware[] | undefined
}

/** One turn being worked on: everything the stages speak through. */
export class TurnState {
  readonly agent: AgentCore
  readonly conversation: SharedConversation
  readonly conversationHandle: Conversation
  readonly id: string
  readonly clock: ActiveClock
  readonly depth: number
  /** How deep agents may be nested below: the strictest limit of all above. */
  readonly deepest: number
  readonly parent: TurnState | undefined
  /** Middleware of this turn alone. */
  readonly use: readonly Middleware[]
  /** The hooks last put together for it, and from what. */
  hookSet: { readonly own: HookSet; readonly above: HookSet | undefined; readonly all: HookSet } | undefined
  // Set before anything runs. Not `handle!: Turn`: that is no valid declaration for users.
  handle: Turn = undefined as never
  root: StageFrame = undefined as never
  /** The user's message. */
  message: Message
  /** What whoever sent it calls it. */
  tag: unknown
  pipeline: Pipeline
  /** The time, as of the last `tick`. */
  at: number
  /** Where the next message goes. Each turn owns its tip. */
  tip: TreeNode | undefined
  origin: TreeNode | undefined
  /** The tip when each step began, for `rewind`. */
  readonly marks: (TreeNode | undefined)[] = []
  readonly markStates: BranchState[] = []
  draft: Draft
  lastResults: readonly ToolResult[] = none
  /** Whether the model asked for more, once `decide` has said so. */
  more: boolean | undefined
  /** Whether the user's message, and the reply in flight, are on the branch. */
  recorded = false
  replyRecorded = false
  interjections = 0
  step = -1
  /** Model stages opened. Only grows. */
  steps = 0
  attempts = 0
  jumps = 0
  /** Spans begun. */
  spans = 0
  usage: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }
  /** Model calls, of sub-agents too, that have not said what they used: those under way, and one that a crash may have cut. */
  unbilled = 0
  attempt: ModelAttempt | undefined
  managed: ManagedLoop | undefined
  /** What a provider that runs tools itself has reported of this batch. */
  observed: ReadonlyMap<string, ToolResult> | undefined
  /** The provider's own ids of calls whose ids were taken, by those they got. */
  #renamed: Map<string, string> | undefined
  /** The call that the reply ends with, where the reply ended because it was too long. */
  cutCall: string | undefined
  /** The tools of the last prompt, where a hook changed them. */
  offered: readonly ToolSpec[] | undefined
  /** The calls of the batch that was opened last. */
  batch: readonly BatchCall[] = none
  /** Calls on the branch that have no result yet. */
  openCalls: readonly Call[] = none
  #finished: Map<string, ToolResult> | undefined
  /** Calls whose end was told, and that a hook has given another result since. */
  replaced: Set<string> | undefined
  noted: NotedDirective[] = []
  halted = false
  /** The stage the next step begins with, after a `goto` at the end of a step. */
  startAt: string | undefined
  readonly decisions: Decision[] = []
  readonly events: EventLog = new EventLog(this)
  /** As those of the thread: replaced, not changed. */
  listeners: readonly TurnListener[] = none
  readonly queue: { readonly text: string }[] = []
  queueClosed = false
  ending: Ending | undefined
  result: TurnResult | undefined
  /** Set once the outcome is known to the world; nothing is recorded after it. */
  over = false
  #states: Map<string, unknown> | undefined
  branchState: BranchState
  shared: Map<string, unknown> | undefined
  instructions: Instruction[] = []
  asks = 0
  readonly streamOptions: StreamOptions
  #children: Set<TurnState> | undefined
  /** The arguments that people gave to calls, by their ids. */
  #edited: Map<string, unknown> | undefined
  readonly settled: Promise<TurnResult>
  /** Tells who waits for the turn how it came out. */
  settle: (result: TurnResult) => void = undefined as never
  readonly ids: TurnIds
  #telling = 0
  /** Who waits for foreign code: tools, models and hooks that may not listen to the signal. An interrupt ends every wait. */
  readonly waits: InterruptibleWaits = new InterruptibleWaits()
  #cleanup: CleanUpDeadline | undefined
  #turnstile: OneAtATime | undefined
  #controller: AbortController | undefined

  /** What was asked of it before the log was open; undefined from then on. */
  early: (() => void)[] | undefined
  /** Another process is to go on: nothing that is awaited here comes back. */
  parked = false
  /** What the log says of this turn, when a process has left it unfinished. */
  past: UnfinishedTurn | undefined
  /** How often each stage was opened, by its place: names of occurrences in the log. */
  #occurrences: Map<string, number> | undefined
  /** What was recorded since the turn was resumed, and whether the log had it. */
  repeated: Map<TreeNode, boolean> | undefined
  /** Messages that hooks have put into the history: their ids count them. */
  edits = 0
  /** The last checkpoint of the past that counted for the turn itself. */
  restoredTo = 0
  /** Interjections of the past that were heard again. */
  heard = 0
  readonly stateNotes: StateNotes = new StateNotes(this)

  constructor(
    agent: AgentCore,
    handle: Conversation,
    conversation: SharedConversation,
    id: string,
    message: Message,
    tip: TreeNode | undefined,
    link: TurnLink,
  ) {
    this.agent = agent
    this.conversationHandle = handle
    this.conversation = conversation
    this.id = id
    this.ids = new TurnIds(this)
    this.message = message
    this.tip = this.origin = tip
    this.depth = link.depth
    this.deepest = link.deepest
    this.parent = link.parent
    this.use = link.use ?? none
    this.pipeline = agent.pipeline
    this.early = conversation.journal && []
    this.branchState = tip?.state ?? emptyState
    this.at = agent.clock.now()
    this.clock = new ActiveClock(agent.clock, this.at, this.waits)
    this.settled = new Promise(resolve => {
      this.settle = resolve
    })
    this.draft = this.newDraft()
    this.streamOptions = new TurnStreamOptions(this)
  }

  // Made when they are first needed: of a thousand conversations few need them.

  /** Results of calls that are finished, hooks included, but not recorded yet. */
  get finished(): Map<string, ToolResult> {
    this.#finished ??= new Map()
    return this.#finished
  }
  /** For what cleans up after an interrupt. */
  get cleanup(): CleanUpDeadline {
    this.#cleanup ??= new CleanUpDeadline()
    return this.#cleanup
  }
  /** Questions to a person come one at a time, also when calls run side by side. */
  get turnstile(): OneAtATime {
    this.#turnstile ??= new OneAtATime()
    return this.#turnstile
  }
  get renamed(): Map<string, string> {
    this.#renamed ??= new Map()
    return this.#renamed
  }
  get states(): Map<string, unknown> {
    this.#states ??= new Map()
    return this.#states
  }
  get children(): Set<TurnState> {
    this.#children ??= new Set()
    return this.#children
  }
  get occurrences(): Map<string, number> {
    this.#occurrences ??= new Map()
    return this.#occurrences
  }

  /** The turn that a person sees: itself, or the one its agent works for. */
  get topmost(): TurnState {
    return this.parent?.topmost ?? this
  }
  get rootId(): string {
    return this.topmost.id
  }
  /** Itself while events belong to this turn; the terminal event is its last. */
  get open(): TurnState | undefined {
    return this.over ? undefined : this
  }
  get interrupted(): boolean {
    return this.ending?.status === 'interrupted'
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }
  abort(reason: unknown): void {
    this.#controller?.abort(reason)
  }
  /** After an interrupt: what runs then gets a signal of its own. */
  renewSignal(): void {
    this.#controller = undefined
  }

  emit(body: EventBody | CustomEvent): Event {
    return this.conversation.tell(body, this.open)
  }
  tellHooks(event: Event): void {
    const { onEvent } = this.hooks
    if (!onEvent.length) return
    // `turn.started` comes before the turn's stage is open.
    const frame = this.root ?? new StageFrame(this, this.pipeline.part('turn'), undefined, this.message)
    // A hook that answers every event with an event would never end: then the innermost are not told.
    if (this.#telling >= maxTelling) return
    this.#telling++
    for (const entry of onEvent) callObserver(frame, entry, event)
    this.#telling--
  }

  get journal(): Journal | undefined {
    return this.conversation.journal
  }

  /** The hooks in force now: the agent's, and the guards of whoever called this sub-agent. */
  get hooks(): HookSet {
    return this.agent.hooksFor(this)
  }
  get tracing(): boolean {
    return this.pipeline.trace !== undefined || this.hooks.traced
  }

  /** Whether opening the stage would do nothing but run it. */
  light(stage: Stage): boolean {
    if (!stage.light) return false
    const { hooks } = this
    if (hooks.empty && !this.pipeline.trace) return true
    if (this.pipeline.trace || hooks.traced || (hooks.onChunk.length && stage.name === 'model')) return false
    return this.agent.chain(stage.name, this).empty
  }

  beginStep(): void {
    this.lastResults = this.draft.results
    this.step++
    this.attempts = 0
    this.more = undefined
    this.marks.push(this.tip)
    this.markStates.push(this.branchState)
    this.batch = none
    this.elapse()
    this.draft = this.newDraft()
  }
  /** Reads the clock. What happens until the next reading has happened at once. */
  tick(): number {
    this.at = this.agent.clock.now()
    return this.at
  }
  /** The same where only hooks, or a log, can have taken time since the last reading. */
  elapse(): number {
    return this.journal || !this.hooks.empty ? this.tick() : this.at
  }
  newDraft(): Draft {
    return new StepDraft(this)
  }

  /** Records a message through the `append` stage and its hooks. */
  append(parent: StageFrame, message: Message): unknown {
    return this.inside(this.pipeline.part('append'), parent, message)
  }

  /** The attempt does not count: what it has shown is withdrawn. */
  dropAttempt(reason: string): void {
    this.attempt?.withdraw(reason)
    this.attempt = undefined
    this.draft.reply = undefined
  }

  /** A call has its final result. */
  finish(call: Call, result: ToolResult, durationMs: number): void {
    const { size } = this.finished
    this.finished.set(call.id, result)
    // It had one, which this replaces.
    if (this.finished.size === size) return
    this.conversation.tellLazily(this, endedEvent, call, durationMs ? { ...result, durationMs } : result)
  }

  /** A person has changed the call: whoever reads its result is told. */
  edit({ id, args }: Call): void {
    this.#edited ??= new Map()
    this.#edited.set(id, args)
    this.journal?.note(this.id, { note: 'edited', callId: id, args })
  }
  editedArgs({ id }: Call): unknown {
    return this.#edited?.get(id) ?? this.past?.edited(id)
  }

  interject(text: string): void {
    if (this.queueClosed || this.over)
      throw new TurnbuckleError('turn.ended', 'The turn is over: send the text as a new turn.')
    demand(text, 'message.empty', 'There is nothing to say.')
    const queue = () => {
      this.queue.push({ text })
      if (!looksFirst(this.agent.chain('append', this))) return void this.emit({ type: 'interjection.queued', text })
      // What hooks look at first (a redactor) is told once they have.
      this.journal?.note(this.id, { note: 'said', text })
      this.emit({ type: 'interjection.queued', text: '', withheld: true })
    }
    if (this.early) this.early.push(queue)
    else queue()
  }
  /** The log is open: what was asked meanwhile is done. */
  begun(): void {
    const early = this.early ?? []
    this.early = undefined
    for (const act of early) act()
  }

  /** Asks a person. A sub-agent's question surfaces at the root. */
  ask(frame: StageFrame, by: string, kind: string, payload: unknown, options: AskOptions): Promise<unknown> {
    if (this.over) return Promise.reject(interrupted())
    return this.topmost.conversation.requests.ask(this, this.ids.request(frame, by), kind, payload, options)
  }

  /** Opens a stage inside another, and waits only where it must. */
  inside<Result>(stage: Stage, parent: StageFrame, input: unknown): Result | Promise<Result> {
    if (this.light(stage)) return light(stage, parent, input) as Result | Promise<Result>
    return this.framed(stage, parent, input)
  }
  framed<Result>(stage: Stage, parent: StageFrame, input: unknown): Result | Promise<Result> {
    const frame = new StageFrame(this, stage, parent, input)
    return afterwards(perform(frame), resultIn, frame) as Result | Promise<Result>
  }

  /** The same, for who wants to know how it came out. */
  async opened(stage: Stage, parent: StageFrame, input: unknown): Promise<StageFrame> {
    const frame = new StageFrame(this, stage, parent, input)
    await perform(frame)
    return frame
  }

  park(): void {
    this.parked = true
    this.waits.freeze()
    this.#cleanup?.freeze()
  }
  /** Nothing of this turn runs any more. */
  release(): void {
    this.#cleanup?.off()
    this.managed?.close()
    // Whoever still waits is an observer, or was left behind.
    this.waits.end()
    this.clock.close()
    this.conversation.running = without(this.conversation.running, this)
    this.parent?.children.delete(this)
    // What hooks have learned after an interrupt.
    this.stateNotes.flush()
    this.journal?.release().catch(nothing)
  }
}

const resultIn = ({ result }: StageFrame): unknown => result

const nothing = () => {}

/** How deep events told by `onEvent` hooks may be nested. */
const maxTelling = 16
