import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { TurnbuckleError } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import { none } from '../base/none.ts'
import { abandon, type Chunk, isPromise } from '../base/ports.ts'
import { accept } from '../hooks/accept-directive.ts'
import { failure, invoke } from '../hooks/call-hook.ts'
import { Directive } from '../hooks/directives.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import type { ModelAttempt } from './model-attempt.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** Reads a model's stream into an attempt. Ends at once on an interrupt, also when the model does not listen. */
export function readStream(frame: StageFrame, stream: Stream, attempt: ModelAttempt): Promise<Message> {
  const { turn, cut } = frame
  return new Promise<Message>((resolve, reject) => {
    turn.waits.add(reject)
    cut?.add(reject)
    new Pump(frame, stream, attempt, resolve, reject).read()
  })
}

/** A reply of a few chunks is read by callbacks, a longer one by a coroutine: each costs less there. */
const few = 4

class Pump {
  readonly #frame: StageFrame
  readonly #iterator: AsyncIterator<Chunk | readonly Chunk[]>
  readonly #attempt: ModelAttempt
  readonly #hooks: readonly HookEntry[]
  readonly #cut: AttemptCancel | undefined
  readonly #resolve: (reply: Message) => void
  readonly #reject: (error: unknown) => void
  #reads = 0
  readonly #onRead = (read: IteratorResult<Chunk | readonly Chunk[]>): void => this.#take(read)
  readonly #onError = (error: unknown): void => this.#fail(error)

  constructor(
    frame: StageFrame,
    stream: Stream,
    attempt: ModelAttempt,
    resolve: (reply: Message) => void,
    reject: (error: unknown) => void,
  ) {
    this.#frame = frame
    this.#iterator = stream[Symbol.asyncIterator]()
    this.#attempt = attempt
    // Without hooks it runs in the frame of another stage.
    this.#hooks = frame.stage.name === 'model' ? frame.chain.onChunk : none
    this.#cut = frame.cut
    this.#resolve = resolve
    this.#reject = reject
  }

  read(): void {
    if (++this.#reads > few && !this.#hooks.length) void this.#readOn()
    else this.#iterator.next().then(this.#onRead, this.#onError)
  }

  async #readOn(): Promise<void> {
    const iterator = this.#iterator
    const attempt = this.#attempt
    try {
      for (;;) {
        const read = await iterator.next()
        if (read.done || this.#late) return this.#take(read)
        attempt.take(read.value)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #take(read: IteratorResult<Chunk | readonly Chunk[]>): void {
    try {
      if (this.#late) this.#leave()
      else if (this.#hooks.length) this.#takeThrough(read).catch(this.#onError)
      else if (read.done) this.#close()
      else {
        this.#attempt.take(read.value)
        this.read()
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  /** With hooks: each may hold back, and gives that when the stream is over. */
  async #takeThrough(read: IteratorResult<Chunk | readonly Chunk[]>): Promise<void> {
    if (read.done) {
      await release(this.#frame, this.#hooks, this.#attempt)
      return this.#close()
    }
    const shown = through(this.#frame, this.#hooks, asList(read.value), 0)
    const passed = isPromise(shown) ? await shown : shown
    if (!this.#frame.turn.over && !this.#cut?.ended) this.#attempt.take(passed)
    if (this.#late) this.#leave()
    else this.read()
  }

  get #late(): boolean {
    const { turn } = this.#frame
    return turn.halted || turn.over || this.#cut?.ended === true
  }

  /** Something has ended it. */
  #leave(): void {
    abandon(this.#iterator)
    this.#attempt.cut = true
    this.#close()
  }
  #close(): void {
    this.#drop()
    if (this.#frame.turn.parked) return
    this.#attempt.close(this.#cut?.ended)
    this.#resolve(this.#attempt.message())
  }
  #fail(error: unknown): void {
    // What a failed attempt cost counts as well.
    this.#drop()
    if (this.#frame.turn.parked) return
    this.#attempt.fail(error)
    this.#reject(error)
  }
  #drop(): void {
    this.#frame.turn.waits.drop(this.#reject)
    this.#cut?.drop(this.#reject)
  }
}

const asList = (value: Chunk | readonly Chunk[]): readonly Chunk[] => (Array.isArray(value) ? value : [value as Chunk])

/** The stream is over: each hook gives what it held back, to the hooks behind it. */
async function release(frame: StageFrame, hooks: readonly HookEntry[], attempt: ModelAttempt): Promise<void> {
  for (const [i, hook] of hooks.entries())
    attempt.take(await through(frame, hooks, await pass(frame, hook, { type: 'end' }), i + 1))
}

type Chunks = readonly ShownChunk[]

/** What is left of some chunks after the hooks from `index` on. */
function through(
  frame: StageFrame,
  hooks: readonly HookEntry[],
  chunks: Chunks,
  index: number,
): Chunks | Promise<Chunks> {
  let current = chunks
  for (let i = index; i < hooks.length; i++) {
    const passed = passAll(frame, hooks[i] as HookEntry, current)
    if (isPromise(passed)) return passed.then(left => through(frame, hooks, left, i + 1))
    current = passed
  }
  return current
}

/** One hook on some chunks. Once it has ended the step the rest is not shown; what came before goes on to the next hook. */
function passAll(frame: StageFrame, entry: HookEntry, chunks: Chunks): Chunks | Promise<Chunks> {
  const { turn } = frame
  const { halted } = turn
  const passed: ShownChunk[] = []
  for (let i = 0; i < chunks.length && turn.halted === halted; i++) {
    const one = pass(frame, entry, chunks[i] as ShownChunk)
    if (isPromise(one)) return slowly(frame, entry, chunks.slice(i + 1), passed, one)
    passed.push(...one)
  }
  return passed
}

async function slowly(
  frame: StageFrame,
  entry: HookEntry,
  rest: Chunks,
  passed: ShownChunk[],
  first: Promise<Chunks>,
): Promise<Chunks> {
  const { halted } = frame.turn
  passed.push(...(await first))
  if (!rest.length || frame.turn.halted !== halted) return passed
  return [...passed, ...(await passAll(frame, entry, rest))]
}

const isChunk = (value: unknown): value is ShownChunk =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const nonsense = ({ at, owner }: HookEntry): TurnbuckleError =>
  new TurnbuckleError(
    'chunk.invalid',
    `${at} of "${owner.name}" returned no chunk. Return nothing to let it pass, a chunk, an array of them, or [].`,
  )

/** A call that is still being written: a guard may know only whole ones, so it has to say that a piece may be shown. */
const isUnchecked = (chunk: ShownChunk, { owner }: HookEntry): boolean =>
  chunk.type === 'calling' && owner.guard === true

/** One hook on one chunk. A guard that fails withholds the chunk; anyone else's failure lets it pass. */
function pass(frame: StageFrame, entry: HookEntry, chunk: ShownChunk): Chunks | Promise<Chunks> {
  const read = (returned: unknown): Chunks => {
    if (returned === undefined) return chunk.type === 'end' || isUnchecked(chunk, entry) ? [] : [chunk]
    if (returned instanceof Directive) {
      accept(frame, entry, returned)
      return []
    }
    const chunks = Array.isArray(returned) ? returned : [returned]
    if (chunks.every(isChunk)) return chunks
    const directive = failure(frame, entry, nonsense(entry))
    return directive ? read(directive) : read(undefined)
  }
  try {
    const returned = invoke(frame, entry, chunk)
    return isPromise(returned) ? returned.then(read) : read(returned)
  } catch {
    return []
  }
}
