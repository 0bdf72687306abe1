import { untilAborted } from './abort.ts'
import { accept } from './accept.ts'
import type { Attempt } from './attempt.ts'
import { Directive } from './flow.ts'
import type { Frame } from './frame.ts'
import type { ShownChunk } from './hook-types.ts'
import type { Entry } from './hooks.ts'
import { invoke } from './invoke.ts'
import { type Chunk, isPromise } from './ports.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** Reads a model's stream into an attempt. Ends at once on an interrupt, also when the model does not listen. */
export function consume(frame: Frame, stream: Stream, attempt: Attempt): Promise<void> {
  const pumping = pump(frame, stream, attempt, frame.signal)
  return frame.run.uncut(frame.signal ? untilAborted(pumping, frame.signal) : pumping)
}

async function pump(frame: Frame, stream: Stream, attempt: Attempt, signal: AbortSignal | undefined): Promise<void> {
  const { run } = frame
  const hooks = attempt.silent ? [] : run.hooks.onChunk
  const iterator = stream[Symbol.asyncIterator]()
  const late = () => run.over || signal?.aborted
  for (;;) {
    const { done, value } = await iterator.next()
    if (run.halted || late()) return leave(iterator)
    if (done) break
    const shown = hooks.length ? through(frame, hooks, asList(value), 0) : value
    const passed = isPromise(shown) ? await shown : shown
    if (!late()) addAll(attempt, passed)
  }
  if (hooks.length) await release(frame, hooks, attempt)
}

const asList = (value: Chunk | readonly Chunk[]): readonly Chunk[] => (Array.isArray(value) ? value : [value as Chunk])

/** Nobody waits for the rest: a generator that is stuck may take its time to notice. */
function leave(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => {})
}

/** The stream is over: each hook gives what it held back, to the hooks behind it. */
async function release(frame: Frame, hooks: readonly Entry[], attempt: Attempt): Promise<void> {
  for (const [i, hook] of hooks.entries())
    addAll(attempt, await through(frame, hooks, await pass(frame, hook, { type: 'end' }), i + 1))
}

function addAll(attempt: Attempt, chunks: ShownChunk | readonly ShownChunk[]): void {
  if (!Array.isArray(chunks)) attempt.add(chunks as Chunk)
  else for (const chunk of chunks as readonly ShownChunk[]) if (chunk.type !== 'end') attempt.add(chunk)
}

type Chunks = readonly ShownChunk[]

/** What is left of some chunks after the hooks from `index` on. */
function through(frame: Frame, hooks: readonly Entry[], chunks: Chunks, index: number): Chunks | Promise<Chunks> {
  let current = chunks
  for (let i = index; i < hooks.length; i++) {
    const next: ShownChunk[] = []
    for (let c = 0; c < current.length; c++) {
      const passed = pass(frame, hooks[i] as Entry, current[c] as ShownChunk)
      if (isPromise(passed)) return slowly(frame, hooks, current, i, c, next, passed)
      next.push(...passed)
    }
    current = next
  }
  return current
}

async function slowly(
  frame: Frame,
  hooks: readonly Entry[],
  chunks: Chunks,
  index: number,
  at: number,
  before: ShownChunk[],
  first: Promise<Chunks>,
): Promise<Chunks> {
  const next = [...before, ...(await first)]
  for (const chunk of chunks.slice(at + 1)) next.push(...(await pass(frame, hooks[index] as Entry, chunk)))
  return through(frame, hooks, next, index + 1)
}

/** One hook on one chunk. A guard that fails withholds the chunk; anyone else's failure lets it pass. */
function pass(frame: Frame, entry: Entry, chunk: ShownChunk): Chunks | Promise<Chunks> {
  const read = (returned: unknown): Chunks => {
    if (returned === undefined) return chunk.type === 'end' ? [] : [chunk]
    if (returned instanceof Directive) {
      accept(frame, entry, returned)
      return []
    }
    return Array.isArray(returned) ? returned : [returned as ShownChunk]
  }
  try {
    const returned = invoke(frame, entry, chunk)
    return isPromise(returned) ? returned.then(read) : read(returned)
  } catch {
    return []
  }
}
