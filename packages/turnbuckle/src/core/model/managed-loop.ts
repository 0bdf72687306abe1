import { AttemptCancel } from '../async/attempt-cancel.ts'
import { TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import type { Call, ResultPart, ToolResult } from '../base/message.ts'
import { abandon, type Chunk, type Model, type Prompt, type Returned, type StreamOptions } from '../base/ports.ts'
import { pathOf } from '../history/tree.ts'
import type { RunningLoop, TurnState } from '../types/turn-state.ts'
import { TurnStreamOptions } from './turn-stream-options.ts'
import { beginCall, endCall } from './usage.ts'

type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** The one place where the model is called. */
export function openStream(
  turn: TurnState,
  prompt: Prompt,
  cancel?: AttemptCancel,
  onRequest?: StreamOptions['onRequest'],
): Stream {
  // A loop that waits for results goes on with them, whichever model it was begun with.
  const model = prompt.model ?? turn.managed?.waiting ?? turn.agent.model()
  turn.calls.observe(undefined)
  if (!model.loop) {
    const stream = model.stream(prompt, optionsFor(turn, cancel, onRequest))
    turn.step.attempt?.bill()
    return stream
  }
  if (model.loop === 'observe' && guardsTools(turn))
    throw new TurnbuckleError(
      'model.unguarded',
      `"${model.id}" runs tools itself and only reports them, so these guards could not protect: ${guardsTools(turn)}. Use a model that lets us run the tools, or remove the guards.`,
    )
  return managedBy(turn, model, cancel).part(prompt)
}

/** The loop that is under way, or a new one: for another model, or after an attempt that failed or was given up. */
function managedBy(turn: TurnState, model: Model, cancel: AttemptCancel | undefined): RunningLoop {
  if (!turn.managed?.serves(model)) {
    turn.managed?.giveUp(new TurnbuckleError('attempt.over', 'Another attempt has begun.'))
    turn.manage(new ManagedLoop(turn, model))
  }
  const managed = turn.managed as RunningLoop
  cancel?.add(reason => managed.giveUp(reason))
  return managed
}

export const optionsFor = (
  turn: TurnState,
  cancel: AttemptCancel | undefined,
  onRequest?: StreamOptions['onRequest'],
): StreamOptions => (cancel || onRequest ? new TurnStreamOptions(turn, cancel, onRequest) : turn.streamOptions)

function guardsTools(turn: TurnState): string {
  const { hooks } = turn
  return [...hooks.chain('tool').guards, ...hooks.chain('tools').guards].map(entry => entry.owner.name).join(', ')
}

/**
 * A model that runs the loop itself, as steps of ours: its stream is read part by part, each part a model stage that
 * ends where tools are wanted (`intercept`) or were run (`observe`), so that every message, call and result passes the
 * same stages and hooks as any other.
 */
export class ManagedLoop implements RunningLoop {
  readonly #turn: TurnState
  readonly #model: Model
  #iterator: AsyncIterator<Chunk | readonly Chunk[]> | undefined
  #reading: Promise<IteratorResult<Chunk | readonly Chunk[]>> | undefined
  /** Calls of `runTools` that no model stage has taken yet. */
  #asked: Asked[] = []
  /** The calls of `runTools` whose tools are one batch of ours: they wait for its results. */
  #batch: readonly Asked[] = none
  #wake: (() => void) | undefined
  readonly #cancel = new AttemptCancel()
  #failed = false
  #counted = false
  #left: Chunk[] = []
  #seen = 0

  constructor(turn: TurnState, model: Model) {
    this.#turn = turn
    this.#model = model
  }

  /** The model that waits for the results of its calls. */
  get waiting(): Model | undefined {
    return this.#batch.length || this.#asked.length ? this.#model : undefined
  }
  serves(model: Model): boolean {
    return this.#model === model && !this.#failed && !this.#cancel.ended
  }

  async *part(prompt: Prompt): AsyncGenerator<Chunk> {
    if (this.#batch.length) this.#answer()
    this.#iterator ??= this.#open(prompt)
    const reported = this.#model.loop === 'observe' ? new Reported() : undefined
    for (;;) {
      const chunk = this.#left.shift() ?? (await this.#next())
      if (chunk === undefined) return
      if (chunk === 'calls') return yield* await this.#wanted()
      if (reported?.takes(chunk)) {
        if (!reported.complete) continue
        this.#turn.calls.observe(reported.results)
        return
      }
      if (chunk.type === 'usage') this.#counted = true
      yield chunk
    }
  }

  /** Ends the model's own loop with the turn. */
  close(): void {
    for (const { refuse } of [...this.#batch, ...this.#asked])
      refuse(new TurnbuckleError('turn.ended', 'The turn is over.'))
    this.#batch = none
    this.#asked = []
    if (this.#iterator) abandon(this.#iterator)
    this.#over()
  }
  #over(): void {
    if (this.#iterator) endCall(this.#turn, this.#counted)
    this.#iterator = undefined
  }

  /** Ends the managed loop before the turn is over. */
  giveUp(reason: unknown): void {
    this.#cancel.end(reason)
    this.close()
  }

  #open(prompt: Prompt): AsyncIterator<Chunk | readonly Chunk[]> {
    const signal = this.#cancel.signalWith(this.#turn.time.signal)
    this.#seen = this.#turn.branch.tip?.depth ?? 0
    this.#counted = false
    beginCall(this.#turn)
    const runTools = (calls: readonly Omit<Call, 'type'>[]) =>
      new Promise<Returned>((answer, refuse) => {
        if (!calls.length) return answer({ results: [], interjections: [] })
        this.#asked.push({ calls, answer, refuse })
        this.#wake?.()
      })
    const { readFile } = this.#turn.streamOptions
    return this.#model
      .stream(prompt, { signal, clock: this.#turn.agent.clock, runTools, readFile })
      [Symbol.asyncIterator]()
  }

  /** The next chunk; `calls` when the model waits for tools; nothing at the end. */
  async #next(): Promise<Chunk | 'calls' | undefined> {
    for (;;) {
      if (this.#asked.length) return 'calls'
      // Before the read: the model may ask for tools while it begins.
      const wanted = new Promise<undefined>(resolve => {
        this.#wake = () => resolve(undefined)
      })
      this.#reading ??= this.#iterator?.next() ?? Promise.resolve({ done: true as const, value: undefined })
      const read = await Promise.race([this.#reading, wanted]).catch(error => {
        this.#failed = true
        throw error
      })
      if (!read) continue
      this.#reading = undefined
      if (read.done) {
        this.#over()
        return undefined
      }
      this.#left.push(...(Array.isArray(read.value) ? read.value : [read.value as Chunk]))
      const chunk = this.#left.shift()
      if (chunk) return chunk
    }
  }

  /** The calls that the model wants now: what it asks for in one moment is one batch, and so one message; what comes later is the next. */
  async #wanted(): Promise<Chunk[]> {
    for (let known = 0; known < this.#asked.length; ) {
      known = this.#asked.length
      for (let tick = 0; tick < moment; tick++) await undefined
    }
    this.#batch = this.#asked.splice(0)
    return this.#batch.flatMap(({ calls }) => calls.map(call => ({ ...call, type: 'call' as const })))
  }

  #answer(): void {
    const { branch, step } = this.#turn
    const { tip } = branch
    const since = pathOf(tip).slice(this.#seen)
    const recorded = since.filter(({ role }) => role === 'tool').map(({ content }) => content[0] as ResultPart)
    const results = step.lastResults.map((result, i) => {
      const args = recorded[i]?.args
      return args === undefined ? result : { ...result, args }
    })
    this.#seen = tip?.depth ?? 0
    const interjections = since.filter(({ role }) => role === 'user')
    const batch = this.#batch
    this.#batch = none
    let from = 0
    for (const [i, { calls, answer }] of batch.entries()) {
      // The last of them also has the rest, where a hook has made other calls of these.
      const isLast = i === batch.length - 1
      const own = results.slice(from, isLast ? undefined : from + calls.length)
      from += calls.length
      answer({ results: own, interjections: isLast ? interjections : [] })
    }
  }
}

/** Turns of the microtask queue in which a model that asks for several calls at once has asked for the next. */
const moment = 16

/** A call of `runTools`, which may be for several calls of tools. */
interface Asked {
  readonly calls: readonly Omit<Call, 'type'>[]
  answer(returned: Returned): void
  refuse(error: unknown): void
}

/** The calls and results that a provider reports. */
class Reported {
  readonly results: Map<string, ToolResult> = new Map()
  readonly #open = new Set<string>()

  get complete(): boolean {
    return this.#open.size === 0
  }
  /** Keeps a result for our tools stage; true when it did. */
  takes(chunk: Chunk): boolean {
    if (chunk.type === 'call') this.#open.add(chunk.id)
    if (chunk.type !== 'result') return false
    this.#open.delete(chunk.id)
    this.results.set(chunk.id, { status: chunk.status, value: chunk.value })
    return true
  }
}
