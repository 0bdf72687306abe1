import { none } from '../core/base/lists.ts'
import type { Call } from '../core/base/message.ts'
import { type Directive, stop } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { atLeast, optionError } from './option.ts'

/** The options of `circuitBreaker`. */
export interface CircuitBreakerOptions {
  /** The identical call, or batch of calls, in a row that does not run any more. 3 by default. */
  readonly consecutive?: number
  /** The identical call inside one batch that does not run any more, next to the others or not. 3 by default. */
  readonly inBatch?: number
  /** The closing text. */
  readonly say?: (call: Call, times: number) => string
}

/** Calls that repeat too often, and how. */
interface Trip {
  readonly call: Call
  readonly times: number
  readonly reason: string
}

interface Streak {
  readonly call: Call | undefined
  readonly times: number
  /** The last batch of several calls, and how often it came in a row. */
  readonly batch: readonly Call[]
  readonly batches: number
  /** Set while the rest of a batch runs whose repeated calls do not: the turn stops behind it. */
  readonly trip: Trip | undefined
}

const start: Streak = { call: undefined, times: 0, batch: none, batches: 0, trip: undefined }

/**
 * Stops a model that makes the same call, or the same batch of calls, over and over. It predicts: of identical calls, in steps or inside
 * one batch, the first two run and the third does not. On by default; `createAgent({ breaker: false })` removes it. Not a guard: it
 * saves cost, it does not protect.
 *
 * ```ts
 * createAgent({ model, breaker: false, use: [circuitBreaker({ consecutive: 5 })] })
 * ```
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): Middleware {
  const { consecutive = 3, inBatch = 3, say = sayStopped, ...unknown } = options ?? {}
  atLeast(2, 'circuit-breaker: consecutive', consecutive)
  atLeast(2, 'circuit-breaker: inBatch', inBatch)
  if (typeof options !== 'object' || typeof say !== 'function' || Object.keys(unknown).length)
    throw optionError(
      'circuitBreaker takes { consecutive?: number, inBatch?: number, say?: function } and nothing else.',
    )
  const tripped = ({ call, times, reason }: Trip): Directive<'stop'> => stop(reason, { say: say(call, times) })
  return middleware<Streak>({
    name: 'circuit-breaker',
    description: 'Blocks a call that repeats the ones before it.',
    state: start,
    beforeTools(ctx) {
      const { streak, runs } = count(ctx.state, ctx.calls, { consecutive, inBatch })
      if (streak.trip && !runs.length) return tripped(streak.trip)
      if (streak.trip) ctx.calls = runs
      ctx.update(() => streak)
    },
    afterTools: ({ state }) => (state.trip ? tripped(state.trip) : undefined),
  })
}

/** Goes on counting with a batch. `runs`: the calls of it that may run. */
function count(
  before: Streak,
  calls: readonly Call[],
  { consecutive, inBatch }: { readonly consecutive: number; readonly inBatch: number },
): { readonly streak: Streak; readonly runs: readonly Call[] } {
  let { call: last, times } = before
  let trip: Trip | undefined
  const runs: Call[] = []
  for (const [index, call] of calls.entries()) {
    times = last && same(last, call) ? times + 1 : 1
    last = call
    const together = index + 1 < inBatch ? 0 : timesUpTo(calls, index)
    if (times >= consecutive) trip ??= { call, times, reason: repeated(call.name, 'was', times, 'in a row') }
    else if (together >= inBatch)
      trip ??= { call, times: together, reason: repeated(call.name, 'was', together, 'at once') }
    else runs.push(call)
  }
  const batch = calls.length > 1 ? calls : none
  const batches = batch.length && sameBatch(before.batch, batch) ? before.batches + 1 : 1
  if (batches < consecutive) return { streak: { call: last, times, batch, batches, trip }, runs }
  const names = [...new Set(calls.map(({ name }) => name))].join(' and ')
  trip = { call: calls[0] as Call, times: batches, reason: repeated(names, 'were', batches, 'in a row') }
  return { streak: { ...before, trip }, runs: [] }
}

const repeated = (names: string, were: string, times: number, how: string): string =>
  `${names} ${were} called ${times} times ${how} with the same arguments`

const sayStopped = (call: Call, times: number): string =>
  `I stopped: I was about to call ${call.name} with the same arguments again, ${times} times by now.`

const timesUpTo = (calls: readonly Call[], index: number): number =>
  calls.slice(0, index + 1).filter(call => same(call, calls[index] as Call)).length

/** Equal as sets: calls of a batch run side by side, so their order says nothing. */
const sameBatch = (a: readonly Call[], b: readonly Call[]): boolean =>
  a.length === b.length && b.every((call, i) => timesUpTo(b, i) <= a.filter(other => same(other, call)).length)

const same = (a: Call, b: Call): boolean => a.name === b.name && equal(a.args, b.args)

/** Equal as JSON, whatever the order of keys. Nothing is serialised for it. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false
  return keys.every(key => key in b && equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
}
