import type { TurnClock } from '../async/active-clock.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Chunk, Ids, Model, Prompt, Usage } from '../base/ports.ts'
import type { Event, NewEvent } from '../events/events.ts'
import type { AskOptions, PermissionAnswer } from '../events/requests.ts'
import type { AgentHandle } from '../types/agent-core.ts'
import type { Conversation } from '../types/conversation.ts'
import type { Messages } from '../types/messages.ts'
import type { Tool } from '../types/tool.ts'
import type { Turn } from '../types/turn.ts'
import type { Directive, Snapshot } from './directives.ts'
import type { StateScope } from './middleware.ts'
import type { OpenSpan, Span } from './span.ts'
import type { BuiltIn, StageFields } from './stage-fields.ts'

export type MaybePromise<Value> = Value | Promise<Value>

/** The status of a stage, as its after hooks see it. */
export type StageStatus = 'done' | 'skipped' | 'failed' | 'interrupted'

/** The data in flight: the only transient carrier, cleared when the step ends. Only `finishReason` can be assigned. */
export interface Draft {
  /** The message that this turn answers. To change it, assign `ctx.message` in `beforeInput`. */
  readonly userMessage: Message | undefined
  /** The text that the current attempt has shown so far. */
  readonly text: string
  /** The reply of this step, once the model has made it. To change it, return `replace(reply)` in `afterModel`. */
  readonly reply: Message | undefined
  /** The calls in the reply. To change them, return `skip(calls)` in `beforeDetect`. */
  readonly calls: readonly Call[]
  /** The results of the calls, in call order. To change them, return `replace(result)` in `afterTool`. */
  readonly results: readonly ToolResult[]
  /** The errors of stages in this step so far. */
  readonly errors: readonly unknown[]
  /** Why the model ended, in the provider's word. A hook that gives a reply of its own may say so. */
  finishReason: string | undefined
  /** The tokens of the current attempt, once the model has reported them. */
  readonly usage: Usage | undefined
  /** When the step began, by the agent's clock. */
  readonly startedAt: number
}

/** The draft as a stage writes it. */
export type WritableDraft = { -readonly [Field in keyof Draft]: Draft[Field] }

export interface Shared {
  get<Value = unknown>(key: string): Value | undefined
  /** The value is frozen. */
  set(key: string, value: unknown): void
}

export interface Generated {
  readonly text: string
  readonly message: Message
  readonly usage: Usage
}

/** The members of `ctx` that every hook has. */
export interface Context<State = unknown> {
  readonly agent: AgentHandle
  readonly conversation: Conversation
  readonly turn: Turn
  /** The index of the step, from 0. */
  readonly step: number
  readonly stage: string
  /** The path, editable. Editing what is recorded makes a branch; the old path stays. */
  readonly messages: Messages
  readonly draft: Draft
  readonly state: State
  /** Changes this middleware's state; seen at once. */
  update(change: (state: State) => State): void
  readonly shared: Shared
  /** Queues system text or model parameters for the next call, or for the rest of the turn. */
  instruct(what: string | Readonly<Record<string, unknown>>, options?: { readonly for?: 'call' | 'turn' }): void
  /** A hook's own model call: not shown, not in the history, but counted and limited. */
  generate(model: Model, prompt: string | Partial<Prompt>): Promise<Generated>
  readonly signal: AbortSignal
  emit(event: NewEvent): void
  ask(kind: 'permission', payload: unknown, options?: AskOptions): Promise<PermissionAnswer>
  ask<Answer = Record<string, unknown>>(kind: string, payload: unknown, options?: AskOptions): Promise<Answer>
  snapshot(): Snapshot
  /** Goes back to a snapshot: undoes edits and deletions too. Constant time. */
  restore(snapshot: Snapshot): void
  /** A handle on the same tree, from here. */
  fork(): Conversation
  readonly clock: TurnClock
  readonly ids: Ids
  readonly log: { readonly seq: number; readonly events: readonly Event[] }
  /** This stage was begun by a process that died. */
  readonly resumed: boolean
}

interface AfterFields {
  readonly status: StageStatus
  /** True where this middleware's before hook ran. */
  readonly entered: boolean
  readonly error: unknown
}

/** Stages of a user's own, for exact types: `declare module 'turnbuckle' { interface OwnStages { moderate: { input: Message; result: Verdict } } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface OwnStages {}

/** The return value of a before or after hook: nothing, or one directive. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement returns void
export type HookReturn = MaybePromise<Directive | void | undefined>

export type BeforeContext<Stage extends BuiltIn, State = unknown> = Context<State> & StageFields[Stage]['before']
export type AfterContext<Stage extends BuiltIn, State = unknown> = Context<State> &
  AfterFields &
  StageFields[Stage]['after']

export interface NextOptions {
  /**
   * Ends this attempt from outside: called when it begins, with what ends it; what it returns is called when the attempt
   * is over. What runs inside is aborted, and `next` rejects with the reason at once, as if the stage had thrown it.
   */
  readonly until?: (end: (reason: unknown) => void) => () => void
  /** Ends the attempt as `until` does, when the signal aborts; its reason is the error. */
  readonly signal?: AbortSignal
}

type Next<Stage extends BuiltIn> = (
  input?: StageFields[Stage] extends { next: infer Input } ? Input : never,
  options?: NextOptions,
) => Promise<StageFields[Stage] extends { returns: infer Result } ? Result : StageFields[Stage]['result']>

export type BeforeHook<Stage extends BuiltIn, State> = (ctx: BeforeContext<Stage, State>) => HookReturn
export type AfterHook<Stage extends BuiltIn, State> = (ctx: AfterContext<Stage, State>) => HookReturn
/** Must return what `next()` gave, another result, or a directive: forgetting it is a type error where the result has a type. */
export type WrapHook<Stage extends BuiltIn, State> = (
  ctx: BeforeContext<Stage, State>,
  next: Next<Stage>,
) => MaybePromise<StageFields[Stage]['result'] | Directive>

type StageHooks<State> = {
  [Stage in BuiltIn as `before${Capitalize<Stage>}`]: BeforeHook<Stage, State>
} & {
  [Stage in BuiltIn as `wrap${Capitalize<Stage>}`]: WrapHook<Stage, State>
} & {
  [Stage in BuiltIn as `after${Capitalize<Stage>}`]: AfterHook<Stage, State>
}

export type ShownChunk = Chunk | { readonly type: 'end' }

export interface Hooks<State> extends StageHooks<State> {
  /** Sees every chunk before anyone else: return nothing (pass), a chunk, an array (split), `[]` (drop or hold). */
  onChunk(
    chunk: ShownChunk,
    ctx: BeforeContext<'model', State>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement returns void
  ): MaybePromise<ShownChunk | readonly ShownChunk[] | Directive | void | undefined>
  /** A stage failed. May `replace` its result, or steer. */
  onError(error: unknown, ctx: Context<State> & { readonly call?: Call }): HookReturn
  onEvent(event: Event, ctx: Context<State>): MaybePromise<unknown>
  /** A stage or hook begins. */
  onOpen(span: OpenSpan, ctx: Context<State>): MaybePromise<unknown>
  /** A stage or hook has ended: what it returned and cost. */
  onTrace(span: Span, ctx: Context<State>): MaybePromise<unknown>
}

/** A hook point that belongs to no stage. */
export type OnPoint = keyof Hooks<unknown> & `on${string}`

/** Every hook point that belongs to no stage: one of `Hooks` that is not here is a type error. */
export const onPoints: readonly string[] = Object.keys({
  onChunk: true,
  onError: true,
  onEvent: true,
  onOpen: true,
  onTrace: true,
} satisfies Record<OnPoint, true>)

type OwnName<Name extends string> = Uncapitalize<Name>
type OwnInput<Name extends string> =
  OwnName<Name> extends keyof OwnStages
    ? OwnStages[OwnName<Name>] extends { input: infer Input }
      ? Input
      : unknown
    : unknown
type OwnResult<Name extends string> =
  OwnName<Name> extends keyof OwnStages
    ? OwnStages[OwnName<Name>] extends { result: infer Result }
      ? Result
      : unknown
    : unknown

/** A hook of a stage of the user's own, by its name alone. */
type OwnHook<Name, State> = Name extends `before${infer Stage extends Capitalize<string>}`
  ? (ctx: Context<State> & { input: OwnInput<Stage> }) => HookReturn
  : Name extends `wrap${infer Stage extends Capitalize<string>}`
    ? (
        ctx: Context<State> & { input: OwnInput<Stage> },
        next: (input?: OwnInput<Stage>, options?: NextOptions) => Promise<OwnResult<Stage>>,
      ) => MaybePromise<OwnResult<Stage> | Directive>
    : Name extends `after${infer Stage extends Capitalize<string>}`
      ? (
          ctx: Context<State> & AfterFields & { readonly input: OwnInput<Stage>; readonly result: OwnResult<Stage> },
        ) => HookReturn
      : never

export type OwnHooks<Own, State> = {
  [Name in keyof Own]: Name extends keyof Hooks<State> | keyof Definition<State> ? unknown : OwnHook<Name, State>
}

/** The members of a middleware's definition besides its hooks. */
export interface Definition<State> {
  readonly name: string
  /** Lower runs first; default 100. */
  readonly priority?: number
  /** Protects: runs innermost, may not rewrite, fails closed. */
  readonly guard?: boolean
  /** The tools its `tool` hooks apply to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  /** Tools the agent has while this middleware is on. */
  readonly provides?: readonly Tool[]
  /** The first state. Plain data. */
  readonly state?: State
  /** `turn` (default); `branch`: copied on fork, rewound; `conversation`: all branches, never rewound. */
  readonly scope?: StateScope
  /** `closed`: a failing hook fails its stage, the default for before and wrap. `open`: the loop goes on, the default elsewhere. */
  readonly onFailure?: 'open' | 'closed'
  /** Milliseconds of active time for one hook call; for a wrap without what it waits for in `next`. */
  readonly timeout?: number
}

/** Every setting of a definition: one of `Definition` that is not here is a type error. */
export const settings: readonly string[] = Object.keys({
  name: true,
  priority: true,
  guard: true,
  tools: true,
  provides: true,
  state: true,
  scope: true,
  onFailure: true,
  timeout: true,
} satisfies Record<keyof Definition<unknown>, true>)
