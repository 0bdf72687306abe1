import type { Call } from '../core/base/message.ts'
import { type Directive, stop } from '../core/hooks/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { atLeast, optionError } from './option.ts'

export interface CircuitBreakerOptions {
  /** The identical call in a row that does not run any more. 3 by default. */
  readonly consecutive?: number
  /** Identical calls inside one batch that stop it, next to each other or not. 5 by default. */
  readonly inBatch?: number
  /** The closing text. */
  readonly say?: (call: Call, times: number) => string
}

interface Streak {
  readonly call: Call | undefined
  readonly times: number
}

/**
 * Stops a model that makes the same call over and over. It predicts: the third identical call in a row does not run.
 * On by default; `createAgent({ breaker: false })` removes it. Not a guard: it saves cost, it does not protect.
 *
 * ```ts
 * createAgent({ model, breaker: false, use: [circuitBreaker({ consecutive: 5 })] })
 * ```
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): Middleware {
  const { consecutive = 3, inBatch = 5, say = sayStopped, ...unknown } = options ?? {}
  atLeast(2, 'circuit-breaker: consecutive', consecutive)
  atLeast(2, 'circuit-breaker: inBatch', inBatch)
  if (typeof options !== 'object' || typeof say !== 'function' || Object.keys(unknown).length)
    throw optionError(
      'circuitBreaker takes { consecutive?: number, inBatch?: number, say?: function } and nothing else.',
    )
  const tripped = (call: Call, times: number, how: string): Directive =>
    stop(`${call.name} was called ${times} times ${how} with the same arguments`, { say: say(call, times) })
  return middleware<Streak>({
    name: 'circuit-breaker',
    state: { call: undefined, times: 0 },
    beforeTools(ctx) {
      let { call: last, times } = ctx.state
      const { calls } = ctx
      for (const [index, call] of calls.entries()) {
        times = last && same(last, call) ? times + 1 : 1
        last = call
        const before = index + 1 < inBatch ? 0 : timesUpTo(calls, index)
        if (times >= consecutive) return tripped(call, times, 'in a row')
        if (before >= inBatch) return tripped(call, before, 'at once')
      }
      ctx.update(() => ({ call: last, times }))
    },
  })
}

const sayStopped = (call: Call, times: number): string =>
  `I stopped: I was about to call ${call.name} with the same arguments again, ${times} times by now.`

const timesUpTo = (calls: readonly Call[], index: number): number =>
  calls.slice(0, index + 1).filter(call => same(call, calls[index] as Call)).length

const same = (a: Call, b: Call): boolean => a.name === b.name && equal(a.args, b.args)

/** Equal as JSON, whatever the order of keys. Nothing is serialised for it. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false
  return keys.every(key => key in b && equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
}
