import { TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { Directive } from '../directives/directives.ts'
import { acceptDirective } from '../hooks/accept-directive.ts'
import { callHook, failureOf } from '../hooks/call-hook.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../types/stage-frame.ts'

export type Chunks = readonly ShownChunk[]

/**
 * The onChunk hooks around one attempt. Each is told the attempt's beginning and its end once, whatever ends it, and no chunk of it after
 * that: a chunk that one hook is still busy with when the attempt is lost goes on to no other.
 */
export class ChunkHooks {
  readonly #frame: StageFrame
  readonly #hooks: readonly HookEntry[]
  /** How many of the hooks were told the beginning, and the end. */
  #begun = 0
  #ended = 0
  #lost: Promise<unknown> | undefined

  constructor(frame: StageFrame, hooks: readonly HookEntry[]) {
    this.#frame = frame
    this.#hooks = hooks
  }

  /** Every hook hears of the beginning before the first chunk comes. Gives what they let out with it, each through the hooks behind it. */
  async begin(attempt: number): Promise<Chunks> {
    const given: Chunks[] = []
    for (const hook of this.#hooks) {
      if (this.#lost) return none
      this.#begun++
      given.push(await this.#call(hook, { type: 'start', attempt }))
    }
    const passed: ShownChunk[] = []
    for (const [i, chunks] of given.entries()) if (chunks.length) passed.push(...(await this.pass(chunks, i + 1)))
    return passed
  }

  /** The stream is over: each hook lets out what it held back, through the hooks behind it. */
  async end(): Promise<Chunks> {
    const passed: ShownChunk[] = []
    for (const [i, hook] of this.#hooks.entries()) {
      if (this.#lost) break
      this.#ended = i + 1
      const given = await this.#call(hook, { type: 'end' })
      if (given.length) passed.push(...(await this.pass(given, i + 1)))
    }
    return this.#lost ? [] : passed
  }

  /** The attempt failed, or was cut: hooks that have begun and not ended are told so, now. What they let out is shown to nobody. */
  lose(): Promise<unknown> {
    this.#lost ??= Promise.all(this.#open().map(hook => tellLost(this.#frame, hook)))
    return this.#lost
  }
  #open(): readonly HookEntry[] {
    return this.#frame.turn.phase === 'parked' ? none : this.#hooks.slice(this.#ended, this.#begun)
  }

  /**
   * The chunks that are left after the hooks from `index` on. Once a hook has ended the step the rest is not shown; the chunks before go on
   * to the next hook.
   */
  async pass(chunks: Chunks, index = 0): Promise<Chunks> {
    const { noted } = this.#frame
    let current = chunks
    for (let i = index; i < this.#hooks.length; i++) {
      const before = noted.list.length
      const passed: ShownChunk[] = []
      for (const chunk of current) {
        if (this.#lost || noted.list.length !== before) break
        passed.push(...(await this.#call(this.#hooks[i] as HookEntry, chunk)))
      }
      current = passed
    }
    return this.#lost ? [] : current
  }

  async #call(hook: HookEntry, chunk: ShownChunk): Promise<Chunks> {
    return readPassed(this.#frame, hook, chunk, await callHook(this.#frame, hook, chunk))
  }
}

async function tellLost(frame: StageFrame, hook: HookEntry): Promise<void> {
  try {
    await callHook(frame, hook, { type: 'end', lost: true })
  } catch {
    // An interrupt cut this hook off, or it failed: its attempt is over in any case.
  }
}

/** The chunks that an onChunk hook lets pass. A guard that fails withholds the chunk; any other hook's failure lets it pass. */
export function readPassed(frame: StageFrame, hook: HookEntry, chunk: ShownChunk, returned: unknown): Chunks {
  if (returned === undefined) return isMark(chunk) || isUnchecked(chunk, hook) ? [] : [chunk]
  if (returned instanceof Directive) {
    acceptDirective(frame, hook, returned)
    return []
  }
  const chunks: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  if (chunks.every(isChunk)) return chunks.filter(each => !isMark(each))
  return readPassed(frame, hook, chunk, failureOf(frame, hook, invalidChunk(hook)))
}

/** Each hook is told the beginning and the end of an attempt once, by the engine. */
const isMark = ({ type }: ShownChunk): boolean => type === 'start' || type === 'end'

const isChunk = (value: unknown): value is ShownChunk =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** A call that is still being written: a guard may know only whole calls, so it has to say that a piece may be shown. */
const isUnchecked = (chunk: ShownChunk, { owner }: HookEntry): boolean => chunk.type === 'calling' && owner.guard

const invalidChunk = ({ at, owner }: HookEntry): TurnbuckleError =>
  new TurnbuckleError(
    'chunk.invalid',
    `${at} of "${owner.name}" returned no chunk. Return nothing to let it pass, a chunk, an array of them, or [].`,
  )
