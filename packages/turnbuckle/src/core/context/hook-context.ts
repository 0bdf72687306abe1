import type { TurnClock } from '../async/active-clock.ts'
import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { deepFreeze } from '../base/deep-freeze.ts'
import { noteOnce } from '../base/developer-note.ts'
import { demand, TurnbuckleError } from '../base/errors.ts'
import { type Call, isMessage, type Message, type ToolResult } from '../base/message.ts'
import type { Ids, Prompt } from '../base/ports.ts'
import { goesOn } from '../directives/resolve.ts'
import { checkTold, type Event } from '../events/events.ts'
import { ownEvent } from '../events/news.ts'
import type { AskOptions, PermissionAnswer } from '../events/request.ts'
import { seal } from '../history/tree.ts'
import type { Draft } from '../hooks/draft.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { Context, Instructions, Shared } from '../hooks/hook-types.ts'
import { middlewareState, updateMiddlewareState } from '../hooks/middleware-state.ts'
import type { StageStatus } from '../hooks/span.ts'
import type { FieldName, InputName } from '../hooks/stage-fields.ts'
import { generate } from '../model/generate.ts'
import { guardTextNow } from '../model/guard-text.ts'
import { readToolChoices } from '../model/instructed-tools.ts'
import { builtInStages } from '../stages/built-in-stages.ts'
import type { Instruction } from '../state/hook-data.ts'
import { EditableMessages } from '../turn/editable-messages.ts'
import { isLastStep } from '../turn/is-last-step.ts'
import { restoreSnapshot, takeSnapshot } from '../turn/take-snapshot.ts'
import type { AgentHandle } from '../types/agent-core.ts'
import type { Conversation } from '../types/conversation.ts'
import type { OwnChanges } from '../types/own-changes.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Tool } from '../types/tool.ts'
import type { Turn } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { DraftView } from './draft-view.ts'
import { frozenResult } from './frozen-result.ts'

/** The one context, as one middleware's hook sees it. The types show each hook only what exists there. */
export class HookContext implements Context, Readonly<Record<FieldName, unknown>> {
  readonly #frame: StageFrame
  readonly #entry: HookEntry | undefined
  readonly #given: unknown
  readonly #cancel: AttemptCancel | undefined
  readonly #changes: OwnChanges | undefined

  /** `given` and `cancel`, for a wrap: what it was handed, and what ends it, as the wraps around it said. `changes`, where the turn is traced. */
  constructor(
    frame: StageFrame,
    entry: HookEntry | undefined,
    given?: unknown,
    cancel?: AttemptCancel,
    changes?: OwnChanges,
  ) {
    this.#frame = frame
    this.#entry = entry
    this.#given = given
    this.#cancel = cancel
    this.#changes = changes
  }

  /** The stage that a hook's context belongs to. */
  static frameOf(ctx: Context): StageFrame {
    demand(ctx instanceof HookContext, 'context.foreign', 'This is not the context of a hook.')
    return ctx.#frame
  }

  get #input(): unknown {
    return this.#given ?? this.#frame.input
  }

  /** The turn. A hook that still uses its context when none of the turn's hooks runs any more has forgotten to wait for something. */
  get #turn(): TurnState {
    const { turn, stage } = this.#frame
    if (turn.released) {
      const { owner = turn, at = stage.name } = this.#entry ?? {}
      noteOnce(
        owner,
        `${at} late`,
        () => `${at} of "${this.#name}" used ctx after its turn. Did you forget an \`await\`?`,
      )
    }
    return turn
  }
  /** The turn, for what would be lost once it has ended. */
  #running(what: string): TurnState {
    const turn = this.#turn
    if (turn.released)
      throw new TurnbuckleError(
        'turn.ended',
        `ctx.${what} came after the turn of "${this.#name}" had ended: await what it waits for.`,
      )
    return turn
  }

  get #name(): string {
    return this.#entry?.owner.name ?? this.#frame.stage.name
  }

  get agent(): AgentHandle {
    const turn = this.#turn
    return turn.agent.handle(turn.depth + 1)
  }
  get conversation(): Conversation {
    return this.#turn.conversationHandle
  }
  get turn(): Turn {
    return this.#turn.handle
  }
  get step(): number {
    return Math.max(0, this.#turn.step.index)
  }
  get isFirstStep(): boolean {
    return this.#turn.step.index <= 0
  }
  get isLastStep(): boolean {
    return isLastStep(this.#turn)
  }
  get stage(): string {
    return this.#frame.stage.name
  }
  get point(): string {
    return this.#entry?.at ?? this.#frame.stage.name
  }
  get draft(): Draft {
    return new DraftView(this.#turn.step.draft)
  }
  get clock(): TurnClock {
    return this.#turn.time.clock
  }
  get ids(): Ids {
    return this.#turn.agent.ids
  }
  get signal(): AbortSignal {
    const { signal } = this.#turn.time
    return this.#cancel?.signalWith(signal) ?? signal
  }
  get log(): { readonly seq: number; readonly events: readonly Event[] } {
    const { conversation, events } = this.#turn
    return { seq: conversation.seq, events: [...events] }
  }
  get resumed(): boolean {
    return this.#frame.resumed
  }
  get messages(): EditableMessages {
    const guarded = (message: Message) => guardTextNow(this.#frame, message)
    return new EditableMessages(this.#turn, this.#name, guarded, this.#changes)
  }

  // The stage's input; before hooks may replace it.

  get input(): unknown {
    return this.#input
  }
  set input(value: unknown) {
    this.#assign(value)
  }
  get prompt(): Prompt {
    if (this.#entry?.point === 'before' && !this.#entry.owner.guard) this.#refresh()
    return this.#taken('prompt') as Prompt
  }
  set prompt(value: Prompt) {
    this.#assign(value, 'prompt')
  }
  get call(): Call {
    return deepFreeze((this.#taken('call') ?? this.#frame.call) as Call)
  }
  set call(value: Call) {
    this.#assign(value, 'call')
  }
  get tool(): Tool | undefined {
    const call = this.call as Call | undefined
    const turn = this.#turn
    return call && turn.agent.toolsOf(turn).find(call.name)
  }
  get calls(): readonly Call[] {
    return deepFreeze((this.#taken('calls') ?? this.#turn.step.draft.calls) as readonly Call[])
  }
  set calls(value: readonly Call[]) {
    this.#assign(value, 'calls')
  }

  #refresh(): void {
    const frame = this.#frame
    const { refresh } = frame.stage
    if (!refresh) return
    if (this.#changes && frame.turn.hookData.hasUntold) this.#changes.refreshInput(() => refresh(frame))
    else refresh(frame)
  }
  /** Does something that changes what a hook may change: the change is the hook's. */
  #change<Value>(act: () => Value): Value {
    return this.#changes ? this.#changes.during(act) : act()
  }
  #taken(kind: InputName): unknown {
    return this.#frame.stage.takes === kind ? this.#input : undefined
  }
  #assign(value: unknown, kind?: InputName): void {
    const { stage, turn } = this.#frame
    if (kind && stage.takes !== kind)
      throw new TurnbuckleError(
        'context.foreign',
        `The stage "${stage.name}" does not take that; ${stagesTaking(kind)} would.`,
      )
    if (this.#entry?.owner.guard)
      throw new TurnbuckleError(
        'guard.rewrites',
        `Guard "${this.#name}" may not change what it sees: block, stop or fail instead.`,
      )
    if (this.#entry?.point !== 'before')
      throw new TurnbuckleError(
        'context.readonly',
        `Only before hooks may assign this. In a wrap pass the changed input to next().`,
      )
    if (value === undefined)
      throw new TurnbuckleError('context.empty', `The input of "${stage.name}" cannot be undefined.`)
    this.#frame.takeInput(stage.current?.(turn, value, this.#frame.input) ?? value)
  }

  /** A stage's input and result are members by the names that the stage has for them, frozen. The getters of this class do more. */
  static {
    const add = (name: string, accessor: PropertyDescriptor & ThisType<HookContext>) => {
      if (!(name in HookContext.prototype)) Object.defineProperty(HookContext.prototype, name, accessor)
    }
    for (const { takes, gives } of builtInStages.values()) {
      if (takes)
        add(takes, {
          get() {
            const taken = this.#taken(takes)
            return isMessage(taken) ? seal(taken) : deepFreeze(taken)
          },
          set(value: unknown) {
            this.#assign(value, takes)
          },
        })
      if (gives)
        add(gives, {
          get() {
            return this.#frame.stage.gives === gives ? frozenResult(this.#frame) : undefined
          },
        })
    }
  }

  // The stage's result, for after hooks.

  get result(): unknown {
    const frame = this.#frame
    if (frame.result === undefined && frame.stage.foresee) return Object.freeze(frame.stage.foresee(frame))
    return frozenResult(frame)
  }
  get results(): readonly ToolResult[] {
    const { stage } = this.#frame
    return stage.gives === 'results' ? (frozenResult(this.#frame) as readonly ToolResult[]) : this.draft.results
  }
  get reply(): Message | undefined {
    const { stage, result, turn } = this.#frame
    const reply = stage.gives === 'reply' ? (result as Message | undefined) : turn.step.draft.reply
    return reply && seal(reply)
  }
  get error(): unknown {
    return this.#frame.error
  }
  get status(): StageStatus {
    return this.#frame.status as StageStatus
  }
  get entered(): boolean {
    const { hooks, reached } = this.#frame
    const hasRun = ({ owner, position }: HookEntry) => owner === this.#entry?.owner && position <= reached
    return hooks.before.some(hasRun) || hooks.guards.some(hasRun)
  }
  get goesOn(): boolean {
    return goesOn(this.#turn)
  }

  // State and values. Getters of functions, so that a hook may take them out of its context: ({ update, call }) => …

  get state(): unknown {
    return this.#entry && middlewareState(this.#turn, this.#entry.owner)
  }
  get interject(): Context['interject'] {
    return text => this.#turn.interject(text, this.#name)
  }
  get stateOf(): Context['stateOf'] {
    return owner => middlewareState(this.#turn, owner) as never
  }
  get update(): (change: (state: never) => unknown) => void {
    const entry = this.#entry
    if (!entry) return () => {}
    return change => this.#change(() => updateMiddlewareState(this.#running('update'), entry.owner, change))
  }
  get shared(): Shared {
    const { turn } = this.#frame
    return {
      get: <Value>(key: string) => turn.hookData.shared?.get(key) as Value | undefined,
      set: (key, value) => {
        const before = turn.hookData.shared?.get(key)
        turn.hookData.share(key, value)
        if (before !== value) this.#changes?.note('shared', { [key]: before }, { [key]: value })
      },
    }
  }
  get instruct(): Context['instruct'] {
    return (what, options) => {
      const turn = this.#running('instruct')
      const instruction = { what: readInstructions(turn, what), for: options?.for ?? 'call' }
      this.#change(() => turn.hookData.instruct(instruction))
    }
  }

  // Doing things.

  get emit(): Context['emit'] {
    return event => {
      checkTold(event)
      this.#running('emit').tell(ownEvent(event))
    }
  }
  get withdraw(): (reason?: string) => void {
    const { stage, turn } = this.#frame
    return (reason = 'another attempt follows') => {
      // A hook's own model call has shown nothing.
      if (stage.gives === 'reply' && !stage.calledByHook && !turn.over) turn.step.dropAttempt(reason)
    }
  }
  get generate(): Context['generate'] {
    return (model, prompt) => generate(this.#frame, this.#entry, model, prompt)
  }
  get ask(): Context['ask'] {
    return (kind: string, payload: unknown, options: AskOptions = {}) => this.#ask(kind, payload, options) as never
  }
  async #ask(kind: string, payload: unknown, options: AskOptions): Promise<PermissionAnswer> {
    const frame = this.#frame
    const answer = (await frame.turn.ask(
      frame,
      `${this.#name}.${this.point}`,
      kind,
      payload,
      options,
    )) as PermissionAnswer
    if (kind === 'permission' && frame.stage.takes === 'call') {
      if (answer.decision === 'deny') frame.deniedTo = this.#name
      else if (answer.args !== undefined && frame.call) frame.revised = { ...frame.call, args: answer.args }
      if (answer.decision === 'allow') frame.permitted = frame.revised ?? frame.call
    }
    return answer
  }
  get snapshot(): Context['snapshot'] {
    return () => takeSnapshot(this.#turn)
  }
  get restore(): Context['restore'] {
    return snapshot => {
      const { hookData } = this.#turn
      const before = sharedValues(hookData.shared)
      this.#change(() => restoreSnapshot(this.#turn, snapshot))
      this.#changes?.note('shared', before, sharedValues(hookData.shared))
    }
  }
  get fork(): Context['fork'] {
    const { turn } = this.#frame
    return () => turn.conversationHandle.at(turn.branch.tip, turn.depth + 1, turn.parent)
  }
}

const sharedValues = (shared: ReadonlyMap<string, unknown> | undefined): unknown => shared && Object.fromEntries(shared)

/** Instructions as plain data, for the log. */
function readInstructions(turn: TurnState, what: string | Instructions): Instruction['what'] {
  if (typeof what === 'string') return what
  const { tools, ...params } = what
  return tools === undefined ? params : { ...params, tools: readToolChoices(turn.agent.toolsOf(turn), tools) }
}

/** The built-in stages that take such an input, for messages that name the fix. */
const stagesTaking = (kind: InputName): string =>
  Array.from(builtInStages.values())
    .filter(stage => stage.takes === kind)
    .map(({ name }) => name)
    .join(', ')
