import { deepFreeze } from '../base/deep-freeze.ts'
import type { ToolSpec } from '../base/ports.ts'

/** The tools that a model is to be offered, for the log: names, and specs of a hook's own making. */
export type ToolChoices = readonly (string | ToolSpec)[]

/** System text, or tools and parameters, that a hook queued for coming model calls. */
export interface Instruction {
  readonly what: string | (Readonly<Record<string, unknown>> & { readonly tools?: ToolChoices })
  readonly for: 'call' | 'turn'
  /** True once the prompt that was built last has it. */
  readonly told?: boolean
}

/** The data that hooks keep in a turn: turn-scoped states, shared values, queued instructions. */
export class HookData {
  #states: Map<string, unknown> | undefined
  #shared: Map<string, unknown> | undefined
  #instructions: readonly Instruction[] = []

  /** A middleware's turn-scoped state. */
  state(middleware: string): unknown {
    return this.#states?.get(middleware)
  }
  setState(middleware: string, state: unknown): void {
    this.#states ??= new Map()
    this.#states.set(middleware, state)
  }

  get shared(): ReadonlyMap<string, unknown> | undefined {
    return this.#shared
  }
  share(key: string, value: unknown): void {
    this.#shared ??= new Map()
    this.#shared.set(key, deepFreeze(value))
  }
  restoreShared(shared: Iterable<readonly [string, unknown]> | undefined): void {
    this.#shared = shared && new Map(shared)
  }

  /** System text and parameters that hooks have queued for coming model calls. */
  get instructions(): readonly Instruction[] {
    return this.#instructions
  }
  /** Something is queued that no prompt has yet. */
  get hasUntold(): boolean {
    return this.#instructions.some(({ told }) => !told)
  }
  instruct(instruction: Instruction): void {
    this.#instructions = [...this.#instructions, instruction]
  }
  setInstructions(instructions: readonly Instruction[]): void {
    this.#instructions = instructions
  }
}
