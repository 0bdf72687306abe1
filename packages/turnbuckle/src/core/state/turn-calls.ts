import { none } from '../base/lists.ts'
import type { Call, ToolResult } from '../base/message.ts'
import type { ToolSpec } from '../base/ports.ts'

/** A call of the batch that runs, as far as an interrupt needs to know it. */
export interface RunningCall {
  readonly call: Call
  /** The call, or a wrap around it, has begun, here or before a process died. */
  readonly hasBegun: boolean
  readonly frame: { readonly status: string; readonly result: unknown }
}

/** A turn's calls, beyond those on the branch: results before they are recorded, the batch that runs, changed ids and arguments. */
export class TurnCalls {
  #finished: Map<string, ToolResult> | undefined
  #replaced: Set<string> | undefined
  #renamed: Map<string, string> | undefined
  #edited: Map<string, unknown> | undefined
  #batch: readonly RunningCall[] = none
  #observed: ReadonlyMap<string, ToolResult> | undefined
  #cutId: string | undefined
  #offered: readonly ToolSpec[] | undefined

  /** The result of a call that is finished, its hooks included, recorded or not. */
  finished(callId: string): ToolResult | undefined {
    return this.#finished?.get(callId)
  }
  /** True for the first result of a call; a later one replaces it. */
  finish(callId: string, result: ToolResult): boolean {
    this.#finished ??= new Map()
    const first = !this.#finished.has(callId)
    this.#finished.set(callId, result)
    return first
  }

  /** A call whose end was told has another result since. */
  replace(callId: string): void {
    this.#replaced ??= new Set()
    this.#replaced.add(callId)
  }
  get hasReplaced(): boolean {
    return this.#replaced !== undefined
  }
  /** True once for a call whose result was replaced. */
  takeReplaced(callId: string): boolean {
    return this.#replaced?.delete(callId) ?? false
  }

  /** A provider's call id was taken already: the call got another one. */
  rename(callId: string, given: string): void {
    this.#renamed ??= new Map()
    this.#renamed.set(callId, given)
  }
  /** The id that the provider gave a call. */
  givenId(callId: string): string {
    return this.#renamed?.get(callId) ?? callId
  }

  /** A person has changed a call's arguments. */
  edit(callId: string, args: unknown): void {
    this.#edited ??= new Map()
    this.#edited.set(callId, args)
  }
  edited(callId: string): unknown {
    return this.#edited?.get(callId)
  }

  /** The calls of the batch that was opened last. */
  get batch(): readonly RunningCall[] {
    return this.#batch
  }
  openBatch(batch: readonly RunningCall[]): void {
    this.#batch = batch
  }

  /** Results of this batch that a provider which runs tools itself has reported. */
  get observed(): ReadonlyMap<string, ToolResult> | undefined {
    return this.#observed
  }
  observe(results: ReadonlyMap<string, ToolResult> | undefined): void {
    this.#observed = results
  }

  /** The call that a reply ends with which ended because it was too long: its arguments may have been cut off. */
  get cutId(): string | undefined {
    return this.#cutId
  }
  setCut(callId: string | undefined): void {
    this.#cutId = callId
  }

  /** The tools of the last prompt, where a hook changed them. */
  get offered(): readonly ToolSpec[] | undefined {
    return this.#offered
  }
  offer(tools: readonly ToolSpec[] | undefined): void {
    this.#offered = tools
  }
}
