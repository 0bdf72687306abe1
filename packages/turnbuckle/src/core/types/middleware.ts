import type { StateScope } from '../history/tree.ts'
import type { Tool } from './tool.ts'

/** A named bundle of hooks with its own typed state. Holds no state itself: one serves any number of conversations. */
export interface Middleware {
  readonly name: string
  readonly priority: number
  readonly guard: boolean
  /** The tools whose `tool` hooks it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[] | undefined
  /** Tools that the agent has while this middleware is on. */
  readonly provides: readonly Tool[]
  readonly state: unknown
  readonly scope: StateScope
  readonly onFailure?: 'open' | 'closed' | undefined
  readonly timeout?: number | undefined
  readonly hooks: Readonly<Record<string, HookFunction>>
}

export type HookFunction = (...args: never[]) => unknown
