import type { Call } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { canonical, fingerprint } from './canonical.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'

/** The options of `loopDetection`. */
export interface LoopDetectionOptions {
  /** The round of a cycle whose last call does not run any more. 3 by default. */
  readonly rounds?: number
  /** The longest cycle that is looked for, in calls. 4 by default. */
  readonly longest?: number
  /** The closing text. */
  readonly say?: string
}

const shape = (): Shape<LoopDetectionOptions> => ({ rounds: is.number(2), longest: is.number(2), say: is.text })

/**
 * Stops a model that goes round in circles: the same calls with the same arguments in the same order (A B A B A B),
 * which the circuit breaker, that looks at one call, does not see. It predicts: the call that would close the last round
 * does not run. Not a guard: it saves cost, it does not protect.
 *
 * ```ts
 * createAgent({ model, tools, use: [loopDetection({ rounds: 3, longest: 4 })] })
 * ```
 */
export function loopDetection(options: LoopDetectionOptions = {}): Middleware {
  checkOptions('loopDetection', options, shape)
  const { rounds = 3, longest = 4, say } = options
  return middleware<readonly string[]>({
    name: 'loop-detection',
    description: 'Ends a turn that goes in circles.',
    state: [],
    beforeTools(ctx) {
      const recent = [...ctx.state]
      for (const call of ctx.calls) {
        recent.push(signature(call))
        const length = cycleAtEnd(recent, rounds, longest)
        if (length) return stopSaying(`the same ${length} calls, ${rounds} times in a row`, say)
      }
      ctx.update(() => recent.slice(-rounds * longest))
    },
  })
}

const signature = ({ name, args }: Call): string => `${name}:${fingerprint(canonical(args))}`

/** The length of the cycle that the list ends with, or 0. One call over and over is the circuit breaker's. */
function cycleAtEnd(list: readonly string[], rounds: number, longest: number): number {
  for (let length = 2; length <= longest; length++) {
    const span = length * rounds
    if (span > list.length) break
    const tail = list.slice(-span)
    if (tail.every((entry, i) => entry === tail[i % length]) && tail.some(entry => entry !== tail[0])) return length
  }
  return 0
}
