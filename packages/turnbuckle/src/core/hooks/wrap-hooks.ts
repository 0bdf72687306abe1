import { ActiveClock } from '../async/active-clock.ts'
import { type AttemptCancel, cancelBy } from '../async/attempt-cancel.ts'
import { interrupted, isHookError, isInterrupted, TurnbuckleError } from '../base/errors.ts'
import { nest } from '../base/nesting-depth.ts'
import { none } from '../base/none.ts'
import { isThenable } from '../base/ports.ts'
import { accept, endUnrun, misplaced } from './accept-directive.ts'
import { failure, tookTooLong } from './call-hook.ts'
import { Directive } from './directives.ts'
import { applies, type HookEntry } from './hook-set.ts'
import type { NextOptions } from './hook-types.ts'
import { innermost } from './innermost.ts'
import { traceHook } from './record-spans.ts'
import type { StageFrame } from './stage-frame.ts'

/** One wrap around the next; innermost is the stage itself. Waits only where something is asynchronous. */
export function layer(frame: StageFrame, index: number, input: unknown, cut?: AttemptCancel): unknown {
  const { wraps } = frame.chain
  for (let i = index; i < wraps.length; i++) {
    const entry = wraps[i] as HookEntry
    if (applies(entry, frame)) return new Inside(frame, entry, i, input, cut).run()
  }
  return innermost(frame, input, cut)
}

/** What one wrap sees as `next`: the wraps inside it, and the stage. */
class Inside {
  readonly #frame: StageFrame
  readonly #entry: HookEntry
  readonly #index: number
  readonly input: unknown
  readonly cut: AttemptCancel | undefined
  #errors: readonly unknown[] = none
  /** What `next` gave last. */
  #given: Promise<unknown> | undefined
  /** All that runs inside, where the stage holds others. */
  #running: Set<Promise<unknown>> | undefined
  #pending = 0
  #early = false
  #called = false
  #succeeded = false
  #over = false
  /** Its own time, where that is limited: stands still while its `next` runs. */
  #clock: ActiveClock | undefined
  #result: unknown

  constructor(frame: StageFrame, entry: HookEntry, index: number, input: unknown, cut: AttemptCancel | undefined) {
    this.#frame = frame
    this.#entry = entry
    this.#index = index
    this.input = input
    this.cut = cut
  }

  run(): Promise<unknown> {
    const frame = this.#frame
    const done = frame.turn.tracing ? traceHook(frame, this.#entry) : undefined
    return this.#waiting().then(
      value => {
        this.#end()
        done?.(value)
        return this.#took(value)
      },
      error => {
        this.#end()
        done?.(undefined, error)
        return this.#broke(error)
      },
    )
  }
  #end(): void {
    this.#over = true
    this.#clock?.close()
  }

  /** A wrap is not cut off by an interrupt: its `next` rejects, and its `finally` has until the deadline. */
  #waiting(): Promise<unknown> {
    try {
      const late = this.#limit()
      const returned = this.#begin()
      if (returned === this.#given || !isThenable(returned)) return Promise.resolve(returned)
      const waiting = this.#frame.turn.cleanup.race(returned)
      return late ? Promise.race([waiting, late]) : waiting
    } catch (error) {
      return Promise.reject(error)
    }
  }
  #limit(): Promise<never> | undefined {
    const { timeout, name } = this.#entry.owner
    if (timeout === undefined) return undefined
    const { clock, waits } = this.#frame.turn
    const active = { now: () => clock.elapsed(), after: (ms: number, turn: () => void) => clock.after(ms, turn) }
    const own = new ActiveClock(active, 0, waits)
    this.#clock = own
    return new Promise((_resolve, reject) => own.after(timeout, () => reject(tookTooLong(name, timeout))))
  }

  #begin(): unknown {
    const frame = this.#frame
    const outer = nest(frame.turn.depth + 1)
    try {
      return this.#entry.fn(
        frame.context(this.#entry, this.input, this.cut),
        (changed?: unknown, options?: NextOptions) => this.next(changed, options),
      )
    } finally {
      nest(outer)
    }
  }

  #took(returned: unknown): unknown {
    if (this.#busy) return this.#idle().then(() => this.#take(returned))
    return this.#take(returned)
  }
  #take(returned: unknown): unknown {
    try {
      return this.#read(returned)
    } catch (error) {
      return this.#failed(error)
    }
  }
  #broke(error: unknown): unknown {
    if (this.#busy) return this.#idle().then(() => this.#rethrow(error))
    return this.#rethrow(error)
  }
  /** An error that came out of `next`, or an interrupt, is not the wrap's own. */
  #rethrow(error: unknown): unknown {
    if (this.#errors.includes(error) || (this.#frame.turn.interrupted && isInterrupted(error))) throw error
    return this.#failed(error)
  }

  /** `limit` ends it: at once for the wrap, also when what is inside does not listen; its reason counts as the stage's error. */
  next(changed: unknown, limit: NextOptions | undefined): Promise<unknown> {
    if (this.#entry.owner.guard && changed !== undefined && changed !== this.input) return this.#rewrites()
    this.#called = true
    this.#pending++
    const goOn = this.#clock?.pause()
    const limited = limit && cancelBy(limit, this.cut)
    const admitted = this.#admit(changed, limited?.cut ?? this.cut)
    if (holdsOthers.includes(this.#frame.stage.name)) this.#track(admitted)
    const result = (limited ? limited.cut.race(admitted) : admitted).then(
      value => {
        limited?.off()
        goOn?.()
        this.#pending--
        this.#succeeded = true
        this.#result = value
        return value
      },
      error => {
        limited?.off()
        goOn?.()
        this.#pending--
        this.#errors = [...this.#errors, error]
        throw error
      },
    )
    // A wrap may drop the promise; that is reported below, not as an unhandled rejection.
    result.then(undefined, nothing)
    this.#given = result
    return result
  }

  /** What is passed on: with what the wrap has queued meanwhile, unless it is a guard, which changes nothing. */
  #current(changed: unknown): unknown {
    const { turn, stage } = this.#frame
    const given = changed === undefined ? this.input : changed
    return stage.current && !this.#entry.owner.guard ? stage.current(turn, given, this.input) : given
  }

  /** Not among the errors of the stage: it is the guard that failed. */
  #rewrites(): Promise<never> {
    const { name } = this.#entry.owner
    const refused = Promise.reject(
      new TurnbuckleError('guard.rewrites', `Guard "${name}" may not change the input: block, stop or fail instead.`),
    )
    refused.catch(() => {})
    return refused
  }

  #admit(changed: unknown, cut: AttemptCancel | undefined): Promise<unknown> {
    try {
      this.#mayRun(cut)
      return Promise.resolve(layer(this.#frame, this.#index + 1, this.#current(changed), cut))
    } catch (error) {
      return Promise.reject(error)
    }
  }
  #mayRun(cut: AttemptCancel | undefined): void {
    const { turn, hookError, stage } = this.#frame
    if (turn.interrupted) throw interrupted()
    if (this.#over) throw new TurnbuckleError('next.late', 'The wrap has returned already.')
    if (hookError !== undefined) throw hookError
    if (turn.halted && !endsWith.includes(stage.name))
      throw new TurnbuckleError('stage.stopped', 'Something has ended this step meanwhile: nothing more begins in it.')
    if (cut?.ended) throw cut.reason
  }

  #track(admitted: Promise<unknown>): void {
    this.#running ??= new Set()
    this.#running.add(admitted)
    const over = () => void this.#running?.delete(admitted)
    admitted.then(over, over)
  }
  get #busy(): boolean {
    return this.#pending > 0 || (this.#running?.size ?? 0) > 0
  }
  /** A wrap that ends before its `next`: a stage that holds others is waited for, or two of them would write the history at once. */
  async #idle(): Promise<void> {
    this.#early ||= this.#pending > 0
    if (this.#running) await Promise.allSettled(this.#running)
  }

  /** The result that a returned value means. */
  #read(returned: unknown): unknown {
    const { stage } = this.#frame
    if (this.#early)
      throw new TurnbuckleError(
        'next.pending',
        'It returned while next() was still running. Did you forget `await next()` or `return next()`?',
      )
    if (returned instanceof Directive) {
      const problem = misplaced(this.#frame, this.#entry, returned)
      if (problem) throw problem
      return this.#directive(returned)
    }
    const { guard } = this.#entry.owner
    if (!this.#called && (stage.required || guard || returned === undefined)) throw nextMissing(stage)
    if (stage.required || guard || returned === undefined) return this.#result
    return returned === this.#result || !stage.read ? returned : stage.read(returned, this.#frame)
  }

  /** The wrap's own failure. Open: as if it were not there. */
  #failed(error: unknown): unknown {
    const frame = this.#frame
    try {
      // Said already, of a directive whose value the stage could not read.
      if (isHookError(error) && error.by === this.#entry.owner.name && error.at === this.#entry.at) throw error
      const directive = failure(frame, this.#entry, error)
      if (directive) return this.#directive(directive)
    } catch (hookError) {
      frame.hookError = hookError
      throw hookError
    }
    return this.#absent()
  }
  #absent(): unknown {
    if (!this.#called) return layer(this.#frame, this.#index + 1, this.input, this.cut)
    if (!this.#succeeded && this.#errors.length) throw this.#errors.at(-1)
    return this.#result
  }

  #directive(directive: Directive): unknown {
    const frame = this.#frame
    const { decided } = frame
    accept(frame, this.#entry, directive)
    if (frame.stage.required && !this.#called && !this.#entry.owner.guard)
      return layer(frame, this.#index + 1, this.input, this.cut)
    if (directive.type === 'block') return frame.result
    // What the stage could not read as its result does not count.
    if (directive.type === 'skip' || directive.type === 'replace')
      return frame.decided === decided ? this.#absent() : frame.result
    if (this.#succeeded) return this.#result
    const unrun = endUnrun(frame, directive)
    return this.#called ? frame.stage.failed?.(this.#errors.at(-1), frame) : unrun
  }
}

/** What a turn that was stopped still needs, or what begins it anew. */
const endsWith: readonly string[] = ['append', 'turn', 'input', 'detect', 'decide']
const holdsOthers: readonly string[] = ['turn', 'step', 'tools']

const nothing = () => {}

const nextMissing = ({ name, required }: StageFrame['stage']): TurnbuckleError =>
  new TurnbuckleError(
    'next.missing',
    required
      ? `It never called next(), but "${name}" cannot be left out. Return next(), or next(changed).`
      : 'It returned nothing and never called next(). Return next(), a result, or skip(value).',
  )
