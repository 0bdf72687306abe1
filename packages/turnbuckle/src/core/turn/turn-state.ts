import { interrupted } from '../base/errors.ts'
import { none, without } from '../base/lists.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { StreamOptions } from '../base/ports.ts'
import type { NotedDirective } from '../directives/directives.ts'
import { StateLog } from '../durable/state-log.ts'
import { TurnReplay } from '../durable/turn-replay.ts'
import { EventLog } from '../events/event-log.ts'
import { endedEvent } from '../events/event-makers.ts'
import type { Event } from '../events/events.ts'
import type { TurnListener } from '../events/listener.ts'
import { lazily, type News } from '../events/news.ts'
import type { AskOptions } from '../events/request.ts'
import type { TreeNode } from '../history/tree.ts'
import { callObserver } from '../hooks/call-observer.ts'
import type { HookSet } from '../hooks/hook-set.ts'
import type { Middleware } from '../hooks/middleware.ts'
import { openStage } from '../hooks/open-stage.ts'
import { StageFrame } from '../hooks/stage-frame.ts'
import { TurnIds } from '../model/turn-ids.ts'
import { TurnStreamOptions } from '../model/turn-stream-options.ts'
import { announceCall } from '../model/usage.ts'
import { HookData } from '../state/hook-data.ts'
import { StepState } from '../state/step-state.ts'
import { TurnBranch } from '../state/turn-branch.ts'
import { TurnCalls } from '../state/turn-calls.ts'
import type { TurnEnding } from '../state/turn-ending.ts'
import { type Interjection, TurnPeople } from '../state/turn-people.ts'
import { nextPhase, type TurnHappening, type TurnPhase } from '../state/turn-phase.ts'
import { TurnSpending } from '../state/turn-spending.ts'
import { TurnSteering } from '../state/turn-steering.ts'
import { TurnTime } from '../state/turn-time.ts'
import type { AgentCore } from '../types/agent-core.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { Journal } from '../types/journal.ts'
import type { Pipeline } from '../types/pipeline.ts'
import type { Stage } from '../types/stage.ts'
import type { Turn, TurnResult } from '../types/turn.ts'
import type { ConversationHandle, RunningLoop, TurnLink, TurnState as TurnStateType } from '../types/turn-state.ts'
import { interject, isLookedAt, takeBack } from './interject.ts'
import { abandonTurn } from './park-turn.ts'

/**
 * A turn being worked on: a phase, and parts with methods of their own. Stages speak through it, and nobody writes to a part but
 * the part itself.
 */
export class TurnState implements TurnStateType {
  readonly id: string
  readonly agent: AgentCore
  readonly conversation: ConversationCore
  readonly conversationHandle: ConversationHandle
  readonly link: TurnLink
  readonly use: readonly Middleware[]
  readonly ids: TurnIds

  readonly time: TurnTime
  readonly branch: TurnBranch
  readonly step: StepState
  readonly calls: TurnCalls = new TurnCalls()
  readonly steering: TurnSteering = new TurnSteering()
  readonly people: TurnPeople = new TurnPeople()
  readonly spent: TurnSpending = new TurnSpending()
  readonly hookData: HookData = new HookData()
  readonly replay: TurnReplay
  readonly stateLog: StateLog
  readonly events: EventLog

  readonly streamOptions: StreamOptions
  readonly settled: Promise<TurnResult>

  #phase: TurnPhase
  #message: Message
  #pipeline: Pipeline
  #handle: Turn | undefined
  #root: StageFrame | undefined
  #managed: RunningLoop | undefined
  #result: TurnResult | undefined
  #listeners: readonly TurnListener[] = none
  #children: Set<TurnStateType> | undefined
  /** Acts that wait for the log to be open. */
  #waiting: (() => void)[] = []
  #resolve: (result: TurnResult) => void = nothing
  #spans = 0
  #released = false
  #telling = 0
  /** A turn that is over has no phase to halt: its hard directives still stop the hooks that it has left behind. */
  #stopsLateHooks = false
  #haltedBy: NotedDirective | undefined

  constructor(
    agent: AgentCore,
    handle: ConversationHandle,
    conversation: ConversationCore,
    id: string,
    message: Message,
    tip: TreeNode | undefined,
    link: TurnLink,
  ) {
    this.id = id
    this.agent = agent
    this.conversation = conversation
    this.conversationHandle = handle
    this.link = link
    this.use = link.use ?? none
    this.ids = new TurnIds(this)
    this.branch = new TurnBranch(tip)
    this.#message = message
    this.#pipeline = agent.pipeline
    this.#phase = conversation.journal ? 'waiting' : 'running'
    this.time = new TurnTime(agent.clock)
    this.step = new StepState(this.time.at)
    this.replay = new TurnReplay(this)
    this.stateLog = new StateLog(this)
    this.events = new EventLog(id, conversation.id)
    this.streamOptions = new TurnStreamOptions(this)
    this.settled = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  // The phase.

  get phase(): TurnPhase {
    return this.#phase
  }
  #happens(happening: TurnHappening): void {
    this.#phase = nextPhase(this.#phase, happening)
  }
  /** The terminal event was told, or the turn was left to another process: nothing is recorded any more. */
  get over(): boolean {
    return this.#phase === 'over' || this.#phase === 'parked'
  }
  get halting(): boolean {
    return this.#phase === 'halting' || this.#stopsLateHooks
  }
  get interrupted(): boolean {
    return this.steering.ending?.status === 'interrupted'
  }
  get haltedBy(): NotedDirective | undefined {
    return this.#haltedBy
  }
  /** A hard directive was given. */
  halt(by: NotedDirective): void {
    this.#haltedBy ??= by
    if (this.over) this.#stopsLateHooks = true
    else this.#happens('halt')
  }
  /** The directives of the step have been read: the turn may open stages again. */
  liftHalt(): void {
    this.steering.noted.clear()
    this.#stopsLateHooks = false
    this.#haltedBy = undefined
    this.#happens('liftHalt')
  }
  /** Sets the turn's ending: only its after hooks, and what is left to record, come after. */
  settle(ending: TurnEnding): void {
    this.steering.end(ending)
    this.#happens('settle')
  }
  /** A wrap runs the whole turn once more. */
  restart(): void {
    this.steering.dropEnding()
    this.steering.noted.clear()
    this.#haltedBy = undefined
    this.people.reopen()
    this.#happens('restart')
  }
  /** Ends the turn: from now on no message is recorded and no interjection accepted. */
  close(result: TurnResult): void {
    this.#result = result
    this.people.close()
    this.#stopsLateHooks = this.halting
    this.#happens('end')
  }
  /** Resolves the turn's promise for its callers. */
  resolve(result: TurnResult): void {
    this.#resolve(result)
  }
  /** The log cannot be written to: the turn fails here, and another process may go on with it. */
  abandon(error: unknown): void {
    abandonTurn(this, error)
  }
  park(): void {
    this.#happens('park')
    this.time.freeze()
  }
  get result(): TurnResult | undefined {
    return this.#result
  }

  /** Does something when the log is open: now, where it is. */
  whenBegun(act: () => void): void {
    if (this.#phase === 'waiting') this.#waiting.push(act)
    else act()
  }
  /** Begins the turn, once the log is open, and does what waited for that. */
  begin(): void {
    this.#happens('begin')
    for (const act of this.#waiting.splice(0)) act()
  }

  // The turn's surroundings.

  get depth(): number {
    return this.link.depth
  }
  get deepest(): number {
    return this.link.deepest
  }
  get parent(): TurnStateType | undefined {
    return this.link.parent
  }
  /** The turn that a person sees: itself, or the one its agent works for. */
  get topmost(): TurnStateType {
    return this.parent?.topmost ?? this
  }
  /** Turns of sub-agents that work for this one. */
  get children(): Iterable<TurnStateType> {
    return this.#children ?? none
  }
  adopt(child: TurnStateType): void {
    this.#children ??= new Set()
    this.#children.add(child)
  }
  disown(child: TurnStateType): void {
    this.#children?.delete(child)
  }
  get journal(): Journal | undefined {
    return this.conversation.journal
  }
  /** The hooks in force now: the agent's, and the guards of whoever called this sub-agent. */
  get hooks(): HookSet {
    return this.agent.hooksFor(this)
  }
  get traced(): boolean {
    return this.#pipeline.trace !== undefined || this.hooks.traced
  }
  get pipeline(): Pipeline {
    return this.#pipeline
  }
  switchPipeline(pipeline: Pipeline): void {
    this.#pipeline = pipeline
  }
  /** The user's message. */
  get message(): Message {
    return this.#message
  }
  setMessage(message: Message): void {
    this.#message = message
  }
  /** The turn as the caller of `send` holds it. */
  get handle(): Turn {
    return this.#handle as Turn
  }
  setHandle(handle: Turn): void {
    this.#handle = handle
  }
  /** The frame of the turn's own stage. Events that come before it is open are told in a frame of their own. */
  get root(): StageFrame {
    return this.#root ?? this.#newRoot()
  }
  openRoot(): StageFrame {
    this.#root = this.#newRoot()
    return this.#root
  }
  #newRoot(): StageFrame {
    return new StageFrame(this, this.#pipeline.part('turn'), undefined, this.#message)
  }
  get managed(): RunningLoop | undefined {
    return this.#managed
  }
  manage(loop: RunningLoop): void {
    this.#managed = loop
  }

  /** Reads the clock where hooks, or a log, can have taken time since the last reading. */
  elapse(): number {
    return this.journal || !this.hooks.empty ? this.time.tick() : this.time.at
  }
  /** Aborts the signal, and a model's own loop with it. */
  abort(reason: unknown): void {
    this.time.abort(reason)
    this.#managed?.close()
  }

  // Events.

  get listeners(): readonly TurnListener[] {
    return this.#listeners
  }
  listen(listener: TurnListener): void {
    this.#listeners = [...this.#listeners, listener]
  }
  unlisten(listener: TurnListener): void {
    this.#listeners = without(this.#listeners, listener)
  }
  /** Events belong to the turn until its terminal event; then they are the conversation's. */
  get open(): TurnStateType | undefined {
    return this.over ? undefined : this
  }
  /** Tells an event of the turn. */
  tell(news: News): void {
    this.conversation.tell(news, this.open)
  }
  tellHooks(event: Event): void {
    const { onEvent } = this.hooks
    // A hook that answers every event with an event would never end: then the innermost are not told.
    // The hooks of a caller in another process are told there.
    if (!onEvent.length || this.link.caller || this.#telling >= maxTelling) return
    this.#telling++
    for (const entry of onEvent) callObserver(this.root, entry, event)
    this.#telling--
  }
  nextSpan(): number {
    return this.#spans++
  }

  // Stages, calls and people.

  /** Opens a stage inside another, and gives its frame: how it came out. */
  openInside(stage: Stage, parent: StageFrame, input: unknown): Promise<StageFrame> {
    return openStage(new StageFrame(this, stage, parent, input))
  }
  /** Records a message through the `append` stage and its hooks. */
  append(parent: StageFrame, message: Message): Promise<StageFrame> {
    return this.openInside(this.#pipeline.part('append'), parent, message)
  }
  beginStep(): void {
    this.branch.mark()
    this.calls.openBatch(none)
    this.spent.beginStep()
    this.step.begin(this.elapse())
  }

  /** A call has its final result. One that had a result already is replaced without telling its end again. */
  finish(call: Call, result: ToolResult, durationMs: number): void {
    if (!this.calls.finish(call.id, result)) return
    this.tell(lazily(endedEvent, call, { result, messageId: this.callsMessageId, durationMs }))
  }
  get callsMessageId(): string {
    const { draft, replyRecorded } = this.step
    return (draft.reply && !replyRecorded ? draft.reply.id : this.branch.callsMessageId) ?? ''
  }
  /** Keeps the arguments that a person gave a call: they go into its result. */
  noteEditedCall({ id, args }: Call): void {
    this.calls.edit(id, args)
    this.journal?.note(this.id, { note: 'edited', callId: id, args })
  }
  editedArgs({ id }: Call): unknown {
    return this.calls.edited(id) ?? this.replay.edited(id)
  }

  interject(text: string, by?: string): void {
    interject(this, by === undefined ? { text } : { text, by })
  }
  takeBack(): string | undefined {
    return takeBack(this)
  }
  isLookedAt(said: Interjection): boolean {
    return isLookedAt(this, said)
  }
  /** Asks a person. A sub-agent's question surfaces at the topmost turn. */
  ask(frame: StageFrame, by: string, kind: string, payload: unknown, options: AskOptions): Promise<unknown> {
    if (this.over) return Promise.reject(interrupted())
    const { topmost } = this
    const asked = topmost.conversation.requests.ask(this, this.ids.request(frame, by), kind, payload, options)
    topmost.people.noteAsked()
    // The question does not show that no model call is under way.
    if (topmost.spent.unbilled) announceCall(this)
    return asked
  }

  /** True once none of the turn's hooks runs any more: their contexts are of no use. */
  get released(): boolean {
    return this.#released
  }
  /** Lets go of all the turn holds, once none of its hooks runs any more. */
  release(): void {
    this.#released = true
    this.#managed?.close()
    this.time.release()
    this.conversation.drop(this)
    this.parent?.disown(this)
    // States that hooks have changed after an interrupt.
    this.stateLog.flush()
    this.journal?.release().catch(nothing)
  }
}

const nothing = () => {}

/** The most `onEvent` hooks inside each other, when they tell events themselves. */
const maxTelling = 16
