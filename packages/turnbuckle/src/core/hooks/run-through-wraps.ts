import { ActiveClock } from '../async/active-clock.ts'
import { type AttemptCancel, cancelBy } from '../async/attempt-cancel.ts'
import { interrupted, isHookError, isInterrupted, TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { nest } from '../base/nesting-depth.ts'
import { isThenable } from '../base/ports.ts'
import { Directive } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { acceptDirective, endUnrun, misplacedBy } from './accept-directive.ts'
import { beginHookSpan } from './begin-stage-span.ts'
import { failureOf, hookTimeout } from './call-hook.ts'
import { guardInput } from './enter-stage.ts'
import type { HookChanges } from './hook-changes.ts'
import { appliesTo, type HookEntry } from './hook-set.ts'
import type { NextOptions } from './hook-types.ts'
import type { AwaitedHook } from './silent-hooks.ts'

/** Runs a stage's body inside its wraps from `index` on, the first outermost. */
export function runThroughWraps(frame: StageFrame, index: number, input: unknown, cancel?: AttemptCancel): unknown {
  const { wraps } = frame.hooks
  for (let i = index; i < wraps.length; i++) {
    const entry = wraps[i] as HookEntry
    if (appliesTo(entry, frame)) return new WrapCall(frame, entry, i, input, cancel).run()
  }
  return runStageBody(frame, input, cancel)
}

/** The stage itself. An input that a wrap changed is shown to the guards first, one call at a time. */
function runStageBody(frame: StageFrame, input: unknown, cancel: AttemptCancel | undefined): unknown {
  if (input !== frame.input) return runChanged(frame, input, cancel)
  if (frame.problem !== undefined) throw frame.problem
  if (cancel !== frame.cancel) frame.cancel = cancel
  return frame.stage.body(frame, input)
}

async function runChanged(frame: StageFrame, input: unknown, cancel: AttemptCancel | undefined): Promise<unknown> {
  frame.takeInput(input)
  frame.status = 'open'
  await frame.turn.people.questions.pass(() => guardInput(frame))
  const status = frame.status as StageFrame['status']
  if (status === 'interrupted') throw frame.error
  if (status !== 'open') return frame.result ?? frame.stage.read?.(undefined, frame)
  return runStageBody(frame, frame.input, cancel)
}

/** A call of a wrap hook. Its `next` runs the wraps inside it and the stage's body. */
class WrapCall {
  readonly #frame: StageFrame
  readonly #entry: HookEntry
  readonly #index: number
  readonly #input: unknown
  readonly #cancel: AttemptCancel | undefined
  #errors: readonly unknown[] = none
  /** The promise that `next` gave last. */
  #given: Promise<unknown> | undefined
  /** Calls of `next` under way, where the stage holds others. */
  #running: Set<Promise<unknown>> | undefined
  #pending = 0
  #returnedEarly = false
  #called = false
  #succeeded = false
  #over = false
  /** The wrap's own time, where that is limited: stands still while its `next` runs. */
  #clock: ActiveClock | undefined
  #result: unknown
  /** The wait for the wrap's own code: none while its `next` runs. */
  #awaited: AwaitedHook | undefined
  /** The changes of the wrap itself, where the turn is traced. */
  #changes: HookChanges | undefined

  constructor(frame: StageFrame, entry: HookEntry, index: number, input: unknown, cancel: AttemptCancel | undefined) {
    this.#frame = frame
    this.#entry = entry
    this.#index = index
    this.#input = input
    this.#cancel = cancel
  }

  async run(): Promise<unknown> {
    this.#frame.onWait?.()
    const span = this.#frame.turn.traced ? beginHookSpan(this.#frame, this.#entry) : undefined
    this.#changes = span?.changes
    let returned: unknown
    try {
      returned = await this.#call()
    } catch (error) {
      this.#end()
      span?.end(undefined, error)
      await this.#untilIdle()
      return this.#rethrow(error)
    }
    this.#end()
    this.#noteResult(returned)
    span?.end(returned)
    await this.#untilIdle()
    try {
      return this.#read(returned)
    } catch (error) {
      return this.#failed(error)
    }
  }
  /** A result other than that of `next` is a change of the wrap's. */
  #noteResult(returned: unknown): void {
    const { guard } = this.#entry.owner
    if (!this.#changes || guard || this.#frame.stage.required) return
    const isDirective = returned instanceof Directive
    if (isDirective && returned.type !== 'replace') return
    const given = isDirective ? returned.value : returned
    if (given !== undefined) this.#changes.note('result', this.#result, given)
  }
  #end(): void {
    this.#over = true
    this.#clock?.close()
    this.#unwatch()
  }
  #watch(): void {
    this.#awaited = this.#frame.turn.time.silentHooks.watch(this.#frame, this.#entry)
  }
  #unwatch(): void {
    if (this.#awaited) this.#frame.turn.time.silentHooks.answered(this.#awaited)
    this.#awaited = undefined
  }

  /** An interrupt does not cut a wrap off: its `next` rejects, and its `finally` has until the clean-up deadline. */
  #call(): unknown {
    const late = this.#limit()
    const returned = this.#begin()
    if (returned === this.#given || !isThenable(returned)) return returned
    if (!this.#pending) this.#watch()
    const waiting = this.#frame.turn.time.cleanup.race(returned)
    return late ? Promise.race([waiting, late]) : waiting
  }
  #limit(): Promise<never> | undefined {
    const { timeout, name } = this.#entry.owner
    if (timeout === undefined) return undefined
    const { clock, waits } = this.#frame.turn.time
    const active = { now: () => clock.elapsed(), after: (ms: number, act: () => void) => clock.after(ms, act) }
    const own = new ActiveClock(active, 0, waits)
    this.#clock = own
    return new Promise((_resolve, reject) => own.after(timeout, () => reject(hookTimeout(name, timeout))))
  }
  #begin(): unknown {
    const { turn } = this.#frame
    const outer = nest(turn.depth + 1)
    try {
      return this.#entry.fn(
        turn.agent.contextFor(this.#frame, this.#entry, this.#input, this.#cancel, this.#changes),
        (changed?: unknown, options?: NextOptions) => this.next(changed, options),
      )
    } finally {
      nest(outer)
    }
  }

  /** An error that came out of `next`, or an interrupt, is not the wrap's own. */
  #rethrow(error: unknown): unknown {
    if (this.#errors.includes(error) || (this.#frame.turn.interrupted && isInterrupted(error))) throw error
    return this.#failed(error)
  }

  /**
   * `limit` ends this attempt: at once for the wrap, also when the stage inside does not listen; the limit's reason counts as
   * the stage's error.
   */
  next(changed: unknown, limit: NextOptions | undefined): Promise<unknown> {
    if (this.#entry.owner.guard && changed !== undefined && changed !== this.#input) return this.#refuseRewrite()
    this.#called = true
    this.#pending++
    this.#unwatch()
    const endPause = this.#clock?.pause()
    const limited = limit && cancelBy(limit, this.#cancel)
    this.#changes?.passOn(this.#input, changed)
    const admitted = this.#admit(changed, limited?.cancel ?? this.#cancel)
    if (this.#frame.stage.holdsOthers) this.#track(admitted)
    const result = this.#untilOver(limited ? limited.cancel.race(admitted) : admitted, () => {
      limited?.off()
      endPause?.()
      this.#pending--
      if (!this.#pending && !this.#over) this.#watch()
    })
    // A wrap may drop the promise: that is reported as `next.pending`, not as an unhandled rejection.
    result.catch(nothing)
    this.#given = result
    return result
  }
  async #untilOver(inside: Promise<unknown>, over: () => void): Promise<unknown> {
    try {
      const value = await inside
      over()
      this.#succeeded = true
      this.#result = value
      return value
    } catch (error) {
      over()
      this.#errors = [...this.#errors, error]
      throw error
    }
  }

  /** Not among the errors of the stage: the guard itself failed. */
  #refuseRewrite(): Promise<never> {
    const { name } = this.#entry.owner
    const refused = Promise.reject(
      new TurnbuckleError('guard.rewrites', `Guard "${name}" may not change the input: block, stop or fail instead.`),
    )
    refused.catch(nothing)
    return refused
  }

  async #admit(changed: unknown, cancel: AttemptCancel | undefined): Promise<unknown> {
    this.#checkMayRun(cancel)
    return runThroughWraps(this.#frame, this.#index + 1, this.#passedOn(changed), cancel)
  }
  #checkMayRun(cancel: AttemptCancel | undefined): void {
    const { turn, hookError, stage } = this.#frame
    if (turn.interrupted) throw interrupted()
    if (this.#over) throw new TurnbuckleError('next.late', 'The wrap has returned already.')
    if (hookError !== undefined) throw hookError
    if (turn.halting && !stage.opensWhenHalting)
      throw new TurnbuckleError('stage.stopped', 'Something has ended this step meanwhile: nothing more begins in it.')
    if (cancel?.ended) throw cancel.reason
  }
  /** The input for the wraps inside: with the instructions this wrap has queued, unless it is a guard, which changes nothing. */
  #passedOn(changed: unknown): unknown {
    const { turn, stage } = this.#frame
    const given = changed === undefined ? this.#input : changed
    return stage.current && !this.#entry.owner.guard ? stage.current(turn, given, this.#input) : given
  }

  #track(admitted: Promise<unknown>): void {
    this.#running ??= new Set()
    this.#running.add(admitted)
    const over = () => void this.#running?.delete(admitted)
    admitted.then(over, over)
  }
  /** A wrap that ends before its `next`: a stage that holds others is waited for, or two of them would write the history at once. */
  async #untilIdle(): Promise<void> {
    this.#returnedEarly ||= this.#pending > 0
    if (this.#running?.size) await Promise.allSettled(this.#running)
  }

  /** The stage's result that the wrap's return value means. */
  #read(returned: unknown): unknown {
    const { stage } = this.#frame
    if (this.#returnedEarly)
      throw new TurnbuckleError(
        'next.pending',
        'It returned while next() was still running. Did you forget `await next()` or `return next()`?',
      )
    if (returned instanceof Directive) {
      const problem = misplacedBy(this.#frame, this.#entry, returned)
      if (problem) throw problem
      return this.#follow(returned)
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
      // Reported already: the stage could not read the value of the wrap's directive.
      if (isHookError(error) && error.by === this.#entry.owner.name && error.at === this.#entry.at) throw error
      const directive = failureOf(frame, this.#entry, error, this.#called)
      if (directive) return this.#follow(directive)
    } catch (hookError) {
      frame.hookError = hookError
      throw hookError
    }
    return this.#asIfAbsent()
  }
  #asIfAbsent(): unknown {
    if (!this.#called) return runThroughWraps(this.#frame, this.#index + 1, this.#input, this.#cancel)
    if (!this.#succeeded && this.#errors.length) throw this.#errors.at(-1)
    return this.#result
  }

  #follow(directive: Directive): unknown {
    const frame = this.#frame
    const { decided } = frame
    acceptDirective(frame, this.#entry, directive)
    if (frame.stage.required && !this.#called && !this.#entry.owner.guard)
      return runThroughWraps(frame, this.#index + 1, this.#input, this.#cancel)
    if (directive.type === 'block') return frame.result
    // A value that the stage could not read as its result does not count.
    if (directive.type === 'skip' || directive.type === 'replace')
      return frame.decided === decided ? this.#asIfAbsent() : frame.result
    if (this.#succeeded) return this.#result
    const unrun = endUnrun(frame, directive)
    return this.#called ? frame.stage.failed?.(this.#errors.at(-1), frame) : unrun
  }
}

const nothing = () => {}

const nextMissing = ({ name, required }: StageFrame['stage']): TurnbuckleError =>
  new TurnbuckleError(
    'next.missing',
    required
      ? `It never called next(), but "${name}" cannot be left out. Return next(), or next(changed).`
      : 'It returned nothing and never called next(). Return next(), a result, or skip(value).',
  )
