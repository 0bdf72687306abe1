import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import type { Message } from '../base/message.ts'
import { abandon, type Chunk } from '../base/ports.ts'
import { acceptDirective } from '../hooks/accept-directive.ts'
import { callHook, failureOf } from '../hooks/call-hook.ts'
import { Directive } from '../hooks/directives.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { ModelAttempt } from './model-attempt.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>
type Chunks = readonly ShownChunk[]

/** A reading of a model's stream. A wrap may have two attempts at a stage under way, each with its own cancel. */
interface Reading {
  readonly frame: StageFrame
  readonly cancel: AttemptCancel | undefined
  readonly attempt: ModelAttempt
}

/** Reads a model's stream into an attempt. Rejects at once on an interrupt, also when the model does not listen. */
export function readStream(frame: StageFrame, stream: Stream, attempt: ModelAttempt): Promise<Message> {
  const { turn, cancel } = frame
  const reading = readToEnd({ frame, cancel, attempt }, stream)
  return turn.time.waits.race(cancel ? cancel.race(reading) : reading)
}

/** Takes chunks until the model is done, or something has ended the step, the turn or the attempt. */
async function readToEnd(reading: Reading, stream: Stream): Promise<Message> {
  const { attempt, cancel, frame } = reading
  // A hook's own model call is shown to nobody.
  const hooks = attempt.silent ? none : frame.hooks.onChunk
  try {
    const iterator = stream[Symbol.asyncIterator]()
    let read = await iterator.next()
    while (!read.done && !isEnded(reading)) {
      if (hooks.length) await takeThroughHooks(reading, hooks, read.value)
      else attempt.take(read.value)
      if (!isEnded(reading)) read = await iterator.next()
    }
    if (isEnded(reading)) cutOff(iterator, attempt)
    else if (hooks.length) await releaseHeld(frame, hooks, attempt)
  } catch (error) {
    if (frame.turn.phase !== 'parked') attempt.fail(error)
    throw error
  }
  if (frame.turn.phase !== 'parked') attempt.close(cancel?.ended)
  return attempt.message()
}

function cutOff(iterator: AsyncIterator<unknown>, attempt: ModelAttempt): void {
  abandon(iterator)
  attempt.cutOff()
}

async function takeThroughHooks(
  { attempt, cancel, frame }: Reading,
  hooks: readonly HookEntry[],
  value: Chunk | readonly Chunk[],
): Promise<void> {
  const shown = await passThrough(frame, hooks, Array.isArray(value) ? value : [value as Chunk], 0)
  if (!frame.turn.over && !cancel?.ended) attempt.take(shown)
}

const isEnded = ({ frame: { turn }, cancel }: Reading): boolean => turn.halting || turn.over || cancel?.ended === true

/** The stream is over: each onChunk hook gives the chunks that it held back, to the hooks behind it. */
async function releaseHeld(frame: StageFrame, hooks: readonly HookEntry[], attempt: ModelAttempt): Promise<void> {
  for (const [i, hook] of hooks.entries())
    attempt.take(await passThrough(frame, hooks, await passOne(frame, hook, { type: 'end' }), i + 1))
}

/** The chunks that are left after the onChunk hooks from `index` on. */
async function passThrough(
  frame: StageFrame,
  hooks: readonly HookEntry[],
  chunks: Chunks,
  index: number,
): Promise<Chunks> {
  let current = chunks
  for (const hook of hooks.slice(index)) current = await passAll(frame, hook, current)
  return current
}

/** Passes chunks through an onChunk hook. Once it has ended the step the rest is not shown; the chunks before go on to the next hook. */
async function passAll(frame: StageFrame, hook: HookEntry, chunks: Chunks): Promise<Chunks> {
  const { halting } = frame.turn
  const passed: ShownChunk[] = []
  for (const chunk of chunks) {
    if (frame.turn.halting !== halting) break
    passed.push(...(await passOne(frame, hook, chunk)))
  }
  return passed
}

/** Passes a chunk through an onChunk hook. A guard that fails withholds the chunk; any other hook's failure lets it pass. */
async function passOne(frame: StageFrame, hook: HookEntry, chunk: ShownChunk): Promise<Chunks> {
  return readPassed(frame, hook, chunk, await callHook(frame, hook, chunk))
}

function readPassed(frame: StageFrame, hook: HookEntry, chunk: ShownChunk, returned: unknown): Chunks {
  if (returned === undefined) return chunk.type === 'end' || isUnchecked(chunk, hook) ? [] : [chunk]
  if (returned instanceof Directive) {
    acceptDirective(frame, hook, returned)
    return []
  }
  const chunks: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  if (chunks.every(isChunk)) return chunks
  return readPassed(frame, hook, chunk, failureOf(frame, hook, invalidChunk(hook)))
}

const isChunk = (value: unknown): value is ShownChunk =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** A call that is still being written: a guard may know only whole calls, so it has to say that a piece may be shown. */
const isUnchecked = (chunk: ShownChunk, { owner }: HookEntry): boolean => chunk.type === 'calling' && owner.guard

const invalidChunk = ({ at, owner }: HookEntry): TurnbuckleError =>
  new TurnbuckleError(
    'chunk.invalid',
    `${at} of "${owner.name}" returned no chunk. Return nothing to let it pass, a chunk, an array of them, or [].`,
  )
