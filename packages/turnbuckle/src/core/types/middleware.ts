import type { ToolResult } from '../base/message.ts'
import type { StateScope } from '../history/tree.ts'
import type { Tool } from './tool.ts'

/** A named bundle of hooks with its own typed state. Holds no state itself: one serves any number of conversations. */
export interface Middleware<State = unknown> {
  /** Names it in events, in `explain()`, and when it is switched. */
  readonly name: string
  /** What it does, in a sentence for the people who switch it. */
  readonly description?: string | undefined
  /** Lower runs first. */
  readonly priority: number
  /** Protects: runs innermost, may not rewrite, fails closed. */
  readonly guard: boolean
  /** The tools whose `tool` hooks it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[] | undefined
  /** Tools that the agent has while this middleware is on. */
  readonly provides: readonly Tool[]
  /** The first state, frozen. */
  readonly state: State
  /** Where the state lives: the turn, the branch, or the whole conversation. */
  readonly scope: StateScope
  /** The effect of a failing hook, where it is not the point's usual one. */
  readonly onFailure?: 'open' | 'closed' | undefined
  /** Milliseconds of active time for one hook call. */
  readonly timeout?: number | undefined
  /** The most steps of a turn that its hooks allow, where they are a limit. */
  readonly maxSteps?: number | undefined
  /** Cleans the texts of decisions before they are kept. */
  readonly redacts?: ((text: string) => string) | undefined
  /** Cleans the results of calls before they are told and kept. */
  readonly redactsResult?: ((result: ToolResult) => ToolResult) | undefined
  /** Takes its place while it is switched off. */
  readonly whenOff?: Middleware | undefined
  /** The hooks, by name. */
  readonly hooks: Readonly<Record<string, HookFunction>>
}

/** Middleware, or a list of it: lists may hold lists, wherever `use` is taken. */
export type Use = Middleware | readonly Use[]

export type HookFunction = (...args: never[]) => unknown
