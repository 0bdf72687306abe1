import { TurnbuckleError } from '../base/errors.ts'
import { Directive } from '../directives/directives.ts'
import { acceptDirective } from '../hooks/accept-directive.ts'
import { callHook, failureOf } from '../hooks/call-hook.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../types/stage-frame.ts'

export type Chunks = readonly ShownChunk[]

/** Tells every onChunk hook that an attempt begins, or ends. Gives what they let out with that: each through the hooks behind it. */
export async function passMark(
  frame: StageFrame,
  hooks: readonly HookEntry[],
  mark: Extract<ShownChunk, { type: 'start' | 'end' }>,
): Promise<Chunks> {
  const passed: ShownChunk[] = []
  // Every hook has heard of the beginning before the first chunk comes.
  const first = mark.type === 'start' ? await tellAll(frame, hooks, mark) : undefined
  for (const [i, hook] of hooks.entries()) {
    const given = first?.[i] ?? readPassed(frame, hook, mark, await callHook(frame, hook, mark))
    if (given.length) passed.push(...(await passThrough(frame, hooks, given, i + 1)))
  }
  return passed
}

async function tellAll(frame: StageFrame, hooks: readonly HookEntry[], mark: ShownChunk): Promise<readonly Chunks[]> {
  const given: Chunks[] = []
  for (const hook of hooks) given.push(readPassed(frame, hook, mark, await callHook(frame, hook, mark)))
  return given
}

/** Tells every onChunk hook that an attempt has failed or was cut: what they held back is not shown any more. */
export async function passLostEnd(frame: StageFrame, hooks: readonly HookEntry[]): Promise<void> {
  if (frame.turn.over) return
  for (const hook of hooks)
    try {
      await callHook(frame, hook, { type: 'end' })
    } catch {
      // An interrupt cut this hook off, or it failed: its attempt is over in any case.
    }
}

/**
 * The chunks that are left after the onChunk hooks from `index` on. Once a hook has ended the step the rest is not shown; the chunks
 * before go on to the next hook.
 */
export async function passThrough(
  frame: StageFrame,
  hooks: readonly HookEntry[],
  chunks: Chunks,
  index: number,
): Promise<Chunks> {
  let current = chunks
  for (let i = index; i < hooks.length; i++) {
    const hook = hooks[i] as HookEntry
    const noted = frame.noted.list.length
    const passed: ShownChunk[] = []
    for (const chunk of current) {
      if (frame.noted.list.length !== noted) break
      passed.push(...readPassed(frame, hook, chunk, await callHook(frame, hook, chunk)))
    }
    current = passed
  }
  return current
}

/** The chunks that an onChunk hook lets pass. A guard that fails withholds the chunk; any other hook's failure lets it pass. */
function readPassed(frame: StageFrame, hook: HookEntry, chunk: ShownChunk, returned: unknown): Chunks {
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
