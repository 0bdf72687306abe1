import type { TurnClock } from '../async/active-clock.ts'
import type { Maybe } from '../base/maybe.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Chunk, Ids, Model, Prompt, ToolSpec, Usage } from '../base/ports.ts'
import type { Directive, DirectiveType, Snapshot } from '../directives/directives.ts'
import type { Emit, Event } from '../events/events.ts'
import type { AskOptions, PermissionAnswer } from '../events/request.ts'
import type { StateScope } from '../history/tree.ts'
import type { AgentHandle } from '../types/agent-core.ts'
import type { Conversation } from '../types/conversation.ts'
import type { Messages } from '../types/messages.ts'
import type { Middleware } from '../types/middleware.ts'
import type { Tool } from '../types/tool.ts'
import type { Turn } from '../types/turn.ts'
import type { Draft } from './draft.ts'
import type { OnPoint } from './hook-name.ts'
import type { OpenSpan, Span, StageStatus } from './span.ts'
import type { BuiltIn, StageFields, StageHookPoints } from './stage-fields.ts'

/** Values that hooks of one turn hand each other. They are frozen, and kept in the log with the turn. */
export interface Shared {
  /** The value that a hook has set under the key, if one has. */
  get<Value = unknown>(key: string): Value | undefined
  /** Sets a value for the hooks that come later in this turn. The value is frozen. */
  set(key: string, value: unknown): void
}

/** A hook's instructions for coming model calls other than text: the tools they are offered, and any parameters. */
export interface Instructions {
  /** The tools of the agent that the model may call, and no others: by name, by pattern, or as tools. */
  readonly tools?: readonly (string | RegExp | ToolSpec)[]
  /** Whether the model may, must or must not call a tool, or which one. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }
  /** Parameters of the model call: `temperature`, `maxOutputTokens`, … */
  readonly [param: string]: unknown
}

/** The answer to a hook's own model call. */
export interface Generated {
  /** The reply's text. */
  readonly text: string
  /** The reply. */
  readonly message: Message
  /** The tokens of all its attempts, and their cost where that is known. */
  readonly usage: Usage
}

/** A value whose members cannot be assigned, at any depth. */
export type DeepReadonly<Value> = unknown extends Value
  ? Value
  : Value extends (...args: never[]) => unknown
    ? Value
    : Value extends object
      ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
      : Value

/** The members of `ctx` that every hook has. */
export interface Context<State = unknown> {
  /** The agent that works on the turn. */
  readonly agent: AgentHandle
  /** The conversation, as a handle whose head is this turn's. */
  readonly conversation: Conversation
  /** The turn that the hook is called in, as the caller of `send` holds it. */
  readonly turn: Turn
  /** The index of the step, from 0. */
  readonly step: number
  /** True in the first step, and before it. */
  readonly isFirstStep: boolean
  /** True in the last step that the limits of steps allow (`maxSteps`, `stepLimit`): no other follows, whatever the model asks for. */
  readonly isLastStep: boolean
  /** The name of the stage that the hook belongs to: `tool`. */
  readonly stage: string
  /** The hook point that is being called: `beforeTool`, `onChunk`. In a stage's own `run` the stage's name. */
  readonly point: string
  /** The path, editable. Editing what is recorded makes a branch; the old path stays. */
  readonly messages: Messages
  /** The data in flight, cleared when the step ends. */
  readonly draft: Draft
  /** This middleware's own state, frozen. Change it with `ctx.update`. */
  readonly state: State
  /** Changes this middleware's state; seen at once. Plain data only. Throws once the turn has ended. */
  update(change: (state: State) => State): void
  /** Another middleware's state, as of now: pass the middleware itself, and its type follows. */
  stateOf<Other>(owner: Middleware<Other>): Other
  /** Values that the hooks of this turn hand each other. */
  readonly shared: Shared
  /**
   * Queues system text, model parameters, or the tools to offer, for the next call or for the rest of the turn. What is said later counts;
   * a hook's change of `ctx.prompt` counts for its call. Throws once the turn has ended.
   */
  instruct(what: string | Instructions, options?: { readonly for?: 'call' | 'turn' }): void
  /** A hook's own model call: not shown, not in the history, but counted and limited. */
  generate(model: Model, prompt: string | Partial<Prompt>): Promise<Generated>
  /** Aborted on an interrupt, and when a wrap around this stage gives its attempt up. */
  readonly signal: AbortSignal
  /** Tells an event of your own, under a dotted name: `search.done`. Its fields are those of `OwnEvents`, if it is there. Throws once the turn has ended. */
  readonly emit: Emit
  /**
   * Queues a message for the model, in this middleware's name: people are shown it too. Applied after the current batch's results; throws when
   * the turn is over. `ctx.turn.interject` speaks in the person's name.
   */
  interject(text: string): void
  /** Asks a person whether the call may run. A no makes the call `denied` when the hook blocks it. */
  ask(kind: 'permission', payload: unknown, options?: AskOptions): Promise<PermissionAnswer>
  /** Asks a person. The turn's clock stands still until the answer, the deadline, or the fallback. */
  ask<Answer = Record<string, unknown>>(kind: string, payload: unknown, options?: AskOptions): Promise<Answer>
  /** A point to come back to: `ctx.restore(snapshot)`, or `return rewind(snapshot)`. Constant time. */
  snapshot(): Snapshot
  /** Goes back to a snapshot: undoes edits and deletions too. Constant time. */
  restore(snapshot: Snapshot): void
  /** A handle on the same tree, from here. */
  fork(): Conversation
  /** The turn's clock: it stands still while a person is asked, but for `now`. */
  readonly clock: TurnClock
  /** The agent's source of ids. */
  readonly ids: Ids
  /** The conversation's last number, and the events of this turn so far. */
  readonly log: { readonly seq: number; readonly events: readonly Event[] }
  /** This stage was begun by a process that died. */
  readonly resumed: boolean
}

interface AfterFields {
  /** How the stage came out: `done`, `skipped`, `failed` or `interrupted`. */
  readonly status: StageStatus
  /** True where a before hook of this middleware ran at this stage. */
  readonly entered: boolean
  /** The error of a stage that failed. */
  readonly error: unknown
}

/** Stages of a user's own, which their hooks need to be known by: `declare module 'turnbuckle' { interface OwnStages { moderate: { input: Message; result: Verdict } } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface OwnStages {}

/** The return value of a before or after hook: nothing, or one of the directives that make sense there. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement returns void
export type HookReturn<Types extends DirectiveType = DirectiveType> = Maybe<Directive<Types> | void | undefined>

/** Jumps need a step to leave. */
type Jumps<Stage> = Stage extends 'turn' | 'input' ? never : 'goto' | 'rewind'
/** Directives that make sense wherever the turn still runs: a new one is among them, and its row says where it is misplaced. */
type Steering = Exclude<DirectiveType, 'skip' | 'block' | 'replace' | 'goto' | 'rewind'>
/** A message is recorded in any case. */
type Instead<Stage> = Stage extends 'append' ? never : 'skip' | 'block'

/** The directives that a before hook of a stage may return. */
export type BeforeDirectives<Stage = string> = Steering | Instead<Stage> | Jumps<Stage>
/** The directives that a wrap of a stage may return in place of a result. */
export type WrapDirectives<Stage = string> = BeforeDirectives<Stage> | 'replace'
/** The directives that an after hook of a stage may return. After the turn only its result and its failure are left to decide. */
export type AfterDirectives<Stage = string> =
  | 'replace'
  | 'fail'
  | (Stage extends 'turn' ? never : Steering | Jumps<Stage>)

/** The context of a before hook: with the stage's input, which may be assigned. */
export type BeforeContext<Stage extends BuiltIn, State = unknown> = Context<State> & StageFields[Stage]['before']
/** The context of a wrap: with the stage's input. A changed one is passed to `next`. */
export type WrapContext<Stage extends BuiltIn, State = unknown> = Context<State> &
  Readonly<StageFields[Stage]['before']> &
  (StageFields[Stage] extends { wrap: infer Fields } ? Fields : object)
/** The context of a guard's before hook: with the stage's input, which a guard may not change. */
export type GuardContext<Stage extends BuiltIn, State = unknown> = Context<State> &
  Readonly<StageFields[Stage]['before']>
/** The context of an after hook: with the stage's result, its status and its error. */
export type AfterContext<Stage extends BuiltIn, State = unknown> = Context<State> &
  AfterFields &
  StageFields[Stage]['after']

/** The options of a wrap's `next`. */
export interface NextOptions {
  /**
   * Ends this attempt from outside: called when it begins, with what ends it; what it returns is called when the attempt
   * is over. What runs inside is aborted, and `next` rejects with the reason at once, as if the stage had thrown it.
   * `heardAt` tells when the model's last chunk of this attempt came, by `ctx.clock.elapsed()`, `firstHeardAt` its first; undefined before that.
   */
  readonly until?: (
    end: (reason: unknown) => void,
    heardAt: () => number | undefined,
    firstHeardAt: () => number | undefined,
  ) => () => void
  /** Ends the attempt as `until` does, when the signal aborts; its reason is the error. */
  readonly signal?: AbortSignal
}

type Next<Stage extends BuiltIn> = (
  input?: StageFields[Stage] extends { next: infer Input } ? Input : never,
  options?: NextOptions,
) => Promise<StageFields[Stage] extends { returns: infer Result } ? Result : StageFields[Stage]['result']>

export type BeforeHook<Stage extends BuiltIn, State, Guard> = (
  ctx: [Guard] extends [true] ? GuardContext<Stage, State> : BeforeContext<Stage, State>,
) => HookReturn<Given<BeforeDirectives<Stage>, Guard>>
export type AfterHook<Stage extends BuiltIn, State, Guard = false> = (
  ctx: AfterContext<Stage, State>,
) => HookReturn<Given<AfterDirectives<Stage>, Guard>>
/** A guard may block, stop or fail; it cannot rewrite. */
type Given<Types extends DirectiveType, Guard> = [Guard] extends [true]
  ? Extract<Types, 'block' | 'stop' | 'fail'>
  : Types
/** Must return what `next()` gave, another result, or a directive: forgetting it is a type error where the result has a type. */
export type WrapHook<Stage extends BuiltIn, State> = (
  ctx: WrapContext<Stage, State>,
  next: Next<Stage>,
) => Maybe<StageFields[Stage]['result'] | Directive<WrapDirectives<Stage>>>

interface HooksOf<Stage extends BuiltIn, State, Guard> {
  /** Before the stage. */
  before: BeforeHook<Stage, State, Guard>
  /** Around the stage. */
  wrap: WrapHook<Stage, State>
  /** After the stage. */
  after: AfterHook<Stage, State, Guard>
}
/** The three hooks of every built-in stage, with the comments of `StageHookPoints`. */
type StageHooks<State, Guard> = {
  [Name in keyof StageHookPoints]: HooksOf<StageHookPoints[Name][1], State, Guard>[StageHookPoints[Name][0]]
}

/** The directives that `onChunk` may return. */
export type ChunkDirectives = Exclude<BeforeDirectives, 'skip'>

/**
 * A chunk of an attempt, or its beginning or end: every attempt has both, also one that fails or that an interrupt ends. `attempt` counts
 * in its step, from 0. `lost`: nothing more of the attempt is shown, so that what a hook releases now is dropped.
 */
export type ShownChunk =
  | Chunk
  | { readonly type: 'start'; readonly attempt: number }
  | { readonly type: 'end'; readonly lost?: true }

/** The context of `onChunk`: with the prompt where a model streams, or the message where a hook has given its text. */
export type ChunkContext<State = unknown> = Context<State> & { readonly prompt?: Prompt; readonly message?: Message }

/** Anything but a directive: a hook that only watches cannot steer. What it returns is not looked at. */
export type Watched = Maybe<
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement returns void
  | void
  | undefined
  | null
  | string
  | number
  | bigint
  | boolean
  | symbol
  | (object & { readonly say?: never; then?: never })
>

/** The hooks that belong to no stage. */
interface OnHooks<State> {
  /**
   * Sees every chunk before anyone else, between `start` and `end`: return nothing (pass), a chunk, an array (split), `[]` (drop or
   * hold). A guard also sees texts that no model has streamed, before they are recorded: of `skip`, `replace`, `again`, a wrap's own reply, `interject` of a tool or hook.
   */
  onChunk(
    chunk: ShownChunk,
    ctx: ChunkContext<State>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement returns void
  ): Maybe<ShownChunk | readonly ShownChunk[] | Directive<ChunkDirectives> | void | undefined>
  /** A stage failed. May `replace` its result, or steer. */
  onError(error: unknown, ctx: Context<State> & { readonly call?: Call }): HookReturn<AfterDirectives>
  /** An event was told. Cannot steer. */
  onEvent(event: Event, ctx: Context<State>): Watched
  /** A stage or hook begins. */
  onOpen(span: OpenSpan, ctx: Context<State>): Watched
  /** A stage or hook has ended: what it returned and cost. */
  onTrace(span: Span, ctx: Context<State>): Watched
}

/**
 * Every hook that a middleware may have; a point of `OnPoint` without its type above is a type error here. `Guard`: those of a guard,
 * whose before hooks may not assign the stage's input.
 */
export interface Hooks<State, Guard = false> extends StageHooks<State, Guard>, Pick<OnHooks<State>, OnPoint> {}

type OwnName = keyof OwnStages & string
/** The input of a stage of a user's own, as `OwnStages` declares it. */
export type OwnInput<Name> = Name extends OwnName
  ? OwnStages[Name] extends { input: infer Input }
    ? Input
    : unknown
  : unknown
/** The result of a stage of a user's own, as `OwnStages` declares it. */
export type OwnResult<Name> = Name extends OwnName
  ? OwnStages[Name] extends { result: infer Result }
    ? Result
    : unknown
  : unknown

/** The hooks of the stages that are declared in `OwnStages`. */
export type OwnHooks<State, Guard = false> = {
  [Name in OwnName as `before${Capitalize<Name>}`]: (
    ctx: Context<State> & ([Guard] extends [true] ? { readonly input: OwnInput<Name> } : { input: OwnInput<Name> }),
  ) => HookReturn<BeforeDirectives>
} & {
  [Name in OwnName as `wrap${Capitalize<Name>}`]: (
    ctx: Context<State> & { readonly input: OwnInput<Name> },
    next: (input?: OwnInput<Name>, options?: NextOptions) => Promise<OwnResult<Name>>,
  ) => Maybe<OwnResult<Name> | Directive<WrapDirectives>>
} & {
  [Name in OwnName as `after${Capitalize<Name>}`]: (
    ctx: Context<State> & AfterFields & { readonly input: OwnInput<Name>; readonly result: OwnResult<Name> },
  ) => HookReturn<AfterDirectives>
}

/** The members of a middleware's definition besides its hooks. */
export interface Definition<State, Guard extends boolean = boolean> {
  /** Names it in events, in `explain()`, and when it is switched. One of a name in an agent. */
  readonly name: string
  /** What it does, in a sentence for the people who switch it. */
  readonly description?: string
  /** Lower runs first; default 100. */
  readonly priority?: number
  /** Protects: runs innermost, may not rewrite, fails closed. */
  readonly guard?: Guard
  /** The tools its `tool` hooks apply to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  /** Tools the agent has while this middleware is on. */
  readonly provides?: readonly Tool[]
  /** The first state. Plain data, copied and frozen; `ctx.update` changes it. */
  readonly state?: State
  /** `turn` (default); `branch`: copied on fork, rewound; `conversation`: all branches, never rewound. */
  readonly scope?: StateScope
  /** `closed`: a failing hook fails its stage, the default for before and wrap. `open`: the loop goes on, the default elsewhere. */
  readonly onFailure?: 'open' | 'closed'
  /** Milliseconds of active time for one hook call; for a wrap without what it waits for in `next`. */
  readonly timeout?: number
  /** The most steps of a turn that its hooks allow, where they are a limit: for `ctx.isLastStep`. The hooks still have to end the turn. */
  readonly maxSteps?: number
  /** Cleans the texts of decisions, of any hook, before they are kept: reasons, and what `again` says. A text that it throws at is `[withheld]`. */
  readonly redacts?: (text: string) => string
  /**
   * Cleans the result of every call, a tool's or a hook's, before it is told or kept. Of a guard also those of sub-agents. A result that it throws
   * at is withheld.
   */
  readonly redactsResult?: (result: ToolResult) => ToolResult
  /** Hooks in the place of its own while it is switched off: rules that no switch may lift. */
  readonly whenOff?: Partial<Hooks<DeepReadonly<State>>>
}

/** Every setting of a definition: one of `Definition` that is not here is a type error. */
export const settings: readonly string[] = Object.keys({
  name: true,
  description: true,
  priority: true,
  guard: true,
  tools: true,
  provides: true,
  state: true,
  scope: true,
  onFailure: true,
  timeout: true,
  maxSteps: true,
  redacts: true,
  redactsResult: true,
  whenOff: true,
} satisfies Record<keyof Definition<unknown>, true>)
