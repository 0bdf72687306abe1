import type { AgentHandle } from '../agent/agent.ts'
import type { Conversation } from '../agent/conversation.ts'
import type { Turn } from '../agent/turn.ts'
import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { deepFreeze } from '../base/deep-freeze.ts'
import { TurnbuckleError } from '../base/errors.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Ids, Prompt } from '../base/ports.ts'
import { checkTold, type Event } from '../events/events.ts'
import type { AskOptions, PermissionAnswer } from '../events/requests.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { Context, Draft, Shared, StageStatus, TurnClock } from '../hooks/hook-types.ts'
import { readState, updateState } from '../hooks/middleware-state.ts'
import { goesOn } from '../hooks/resolve.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { generate } from '../model/generate.ts'
import { catchUp } from '../model/prompt.ts'
import { Messages } from '../turn/editable-messages.ts'
import { restore, takeSnapshot } from '../turn/snapshot.ts'
import { foreseen } from '../turn/turn-result.ts'

/** Which stages take what. */
const takeMessages: readonly string[] = ['turn', 'input', 'append']
const takePrompts: readonly string[] = ['model', 'generate']
const takeCall: readonly string[] = ['tool']
const takeCalls: readonly string[] = ['tools']

/** The one context, as one middleware's hook sees it. The types show each hook only what exists there. */
export class HookContext implements Context {
  readonly #frame: StageFrame
  readonly #entry: HookEntry | undefined
  readonly #given: unknown
  readonly #cut: AttemptCancel | undefined

  /** For a wrap: what it was handed, and what ends it, as the wraps around it said. */
  constructor(frame: StageFrame, entry: HookEntry | undefined, given?: unknown, cut?: AttemptCancel) {
    this.#frame = frame
    this.#entry = entry
    this.#given = given
    this.#cut = cut
  }

  get #input(): unknown {
    return this.#given ?? this.#frame.input
  }

  get #name(): string {
    return this.#entry?.owner.name ?? this.#frame.stage.name
  }

  get agent(): AgentHandle {
    const { turn } = this.#frame
    return turn.agent.handle(turn.depth + 1)
  }
  get conversation(): Conversation {
    return this.#frame.turn.conversationHandle
  }
  get turn(): Turn {
    return this.#frame.turn.handle
  }
  get step(): number {
    return Math.max(0, this.#frame.turn.step)
  }
  get stage(): string {
    return this.#frame.stage.name
  }
  get draft(): Draft {
    return this.#frame.turn.draft
  }
  get clock(): TurnClock {
    return this.#frame.turn.clock
  }
  get ids(): Ids {
    return this.#frame.turn.agent.ids
  }
  get signal(): AbortSignal {
    const { signal } = this.#frame.turn
    return this.#cut?.signalWith(signal) ?? signal
  }
  get log(): { readonly seq: number; readonly events: readonly Event[] } {
    const { conversation, events } = this.#frame.turn
    return { seq: conversation.seq, events: [...events] }
  }
  get resumed(): boolean {
    return this.#frame.resumed
  }
  get messages(): Messages {
    return new Messages(this.#frame.turn, this.#name)
  }

  // What the stage takes; before hooks may put something else in its place.

  get input(): unknown {
    return this.#input
  }
  set input(value: unknown) {
    this.#assign(value)
  }
  get message(): Message {
    return this.#taken(takeMessages) as Message
  }
  set message(value: Message) {
    this.#assign(value, takeMessages)
  }
  get prompt(): Prompt {
    const frame = this.#frame
    if (frame.stage.name === 'model' && this.#entry?.point === 'before' && !this.#entry.owner.guard)
      frame.input = catchUp(frame.turn, frame.input as Prompt)
    return this.#taken(takePrompts) as Prompt
  }
  set prompt(value: Prompt) {
    this.#assign(value, takePrompts)
  }
  get call(): Call {
    const { stage, call } = this.#frame
    return (stage.name === 'tool' ? (this.#given ?? call) : call) as Call
  }
  set call(value: Call) {
    this.#assign(value, takeCall)
    this.#frame.call = this.#frame.input as Call
  }
  get calls(): readonly Call[] {
    const { stage, turn } = this.#frame
    return stage.name === 'tools' ? (this.#input as readonly Call[]) : turn.draft.calls
  }
  set calls(value: readonly Call[]) {
    this.#assign(value, takeCalls)
  }

  #taken(by: readonly string[]): unknown {
    return by.includes(this.#frame.stage.name) ? this.#input : undefined
  }
  #assign(value: unknown, by?: readonly string[]): void {
    const { stage } = this.#frame
    if (by && !by.includes(stage.name))
      throw new TurnbuckleError(
        'context.foreign',
        `The stage "${stage.name}" does not take that; ${by.join(', ')} would.`,
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
    this.#frame.input = stage.current?.(this.#frame.turn, value, this.#frame.input) ?? value
  }

  // What came of it, for after hooks.

  get result(): unknown {
    const frame = this.#frame
    return frame.result === undefined && frame.stage.name === 'turn' ? foreseen(frame) : frame.result
  }
  get results(): readonly ToolResult[] {
    const { stage, result, turn } = this.#frame
    return stage.name === 'tools' ? (result as readonly ToolResult[]) : turn.draft.results
  }
  get reply(): Message | undefined {
    const { stage, result, turn } = this.#frame
    return stage.name === 'model' || stage.name === 'generate' ? (result as Message) : turn.draft.reply
  }
  get error(): unknown {
    return this.#frame.error
  }
  get status(): StageStatus {
    return this.#frame.status as StageStatus
  }
  get entered(): boolean {
    return (this.#entry?.position ?? 0) <= this.#frame.reached
  }
  get goesOn(): boolean {
    return goesOn(this.#frame.turn)
  }

  // State and values. Getters of functions, so that a hook may take them out of its context: ({ update, call }) => …

  get state(): unknown {
    return this.#entry && readState(this.#frame.turn, this.#entry.owner)
  }
  get update(): (change: (state: never) => unknown) => void {
    return change => {
      if (this.#entry) updateState(this.#frame.turn, this.#entry.owner, change)
    }
  }
  get shared(): Shared {
    const { turn } = this.#frame
    return {
      get: <Value>(key: string) => turn.shared?.get(key) as Value | undefined,
      set: (key, value) => {
        turn.shared ??= new Map()
        turn.shared.set(key, deepFreeze(value))
      },
    }
  }
  get instruct(): Context['instruct'] {
    return (what, options) => void this.#frame.turn.instructions.push({ what, for: options?.for ?? 'call' })
  }

  // Doing things.

  get emit(): Context['emit'] {
    return event => {
      checkTold(event)
      this.#frame.turn.emit({ ...event })
    }
  }
  get generate(): Context['generate'] {
    return (model, prompt) => generate(this.#frame, model, prompt)
  }
  get ask(): Context['ask'] {
    return (kind: string, payload: unknown, options: AskOptions = {}) => this.#ask(kind, payload, options) as never
  }
  async #ask(kind: string, payload: unknown, options: AskOptions): Promise<PermissionAnswer> {
    const frame = this.#frame
    const answer = (await frame.turn.ask(
      frame,
      `${this.#name}.${this.#entry?.at ?? frame.stage.name}`,
      kind,
      payload,
      options,
    )) as PermissionAnswer
    if (kind === 'permission' && frame.stage.name === 'tool') {
      if (answer.decision === 'deny') frame.deniedTo = this.#name
      else if (answer.args !== undefined && frame.call) frame.revised = { ...frame.call, args: answer.args }
    }
    return answer
  }
  get snapshot(): Context['snapshot'] {
    return () => takeSnapshot(this.#frame.turn)
  }
  get restore(): Context['restore'] {
    return snapshot => restore(this.#frame.turn, snapshot)
  }
  get fork(): Context['fork'] {
    const { turn } = this.#frame
    return () => turn.conversationHandle.at(turn.tip, turn.depth + 1, turn.parent)
  }
}
