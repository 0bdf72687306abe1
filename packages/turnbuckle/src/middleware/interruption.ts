import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** A key that a person has pressed. */
export interface KeyPress {
  /** `escape`, or any other name. */
  readonly key: string
  /** The number of presses: a terminal may report two quick ones as one. 1 by default. */
  readonly times?: number
}

/** The port that keys come from, so that a terminal and a test share the logic. */
export interface Keys {
  /** Calls `listener` for each key until the function it returns is called. */
  listen(listener: (press: KeyPress) => void): () => void
}

/** The options of `interruption`. */
export interface InterruptionOptions {
  /** Tells of keys that are pressed. */
  readonly keys: Keys
  /** The key. `escape` by default. */
  readonly key?: string
  /** The number of presses that interrupt the turn. 2 by default. */
  readonly presses?: number
  /** Milliseconds from the first press to the last. 500 by default. */
  readonly within?: number
  /** The reason of the interrupt. */
  readonly reason?: string
}

const shape = (): Shape<InterruptionOptions> => ({
  keys: is.needed(is.port('listen')),
  key: is.text,
  presses: is.number(1),
  within: is.number(0),
  reason: is.text,
})

/**
 * Interrupts the turn when a key is pressed twice within half a second; any other key begins anew. It listens only while
 * a turn runs. Not a guard: when the keys cannot be listened to, the turn fails.
 *
 * ```ts
 * createAgent({ model, use: [interruption({ keys: terminalKeys })] })
 * ```
 */
export function interruption(options: InterruptionOptions): Middleware {
  checkOptions('interruption', options, shape)
  const { keys, reason = 'interrupted by the person' } = options
  return middleware({
    name: 'interruption',
    description: 'Lets a person stop a turn with a key.',
    priority: 0,
    async wrapTurn(ctx, next) {
      const pressed = keyRow(options)
      const stopListening = keys.listen(press => {
        if (pressed(press, ctx.clock.now())) ctx.turn.interrupt(reason)
      })
      try {
        return await next()
      } finally {
        stopListening()
      }
    },
  })
}

/** Tells whether a press completes the row. Also for whoever watches keys outside a turn: while a person is asked. */
export function keyRow(
  options: Pick<InterruptionOptions, 'key' | 'presses' | 'within'> = {},
): (press: KeyPress, at: number) => boolean {
  const { key: wanted = 'escape', presses = 2, within = 500 } = options
  let row: number[] = []
  return ({ key, times = 1 }, at) => {
    if (key !== wanted) {
      row = []
      return false
    }
    row = [...row, ...Array<number>(times).fill(at)].filter(earlier => at - earlier <= within)
    if (row.length < presses) return false
    row = []
    return true
  }
}
