import type { TurnClock } from '../core/async/active-clock.ts'
import type { Message } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Turn, TurnResult } from '../core/types/turn.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import type { LearnedStore } from './learned-store.ts'

/** A finished turn, as the monitor sees it. */
export interface Sample {
  /** The conversation of the turn. */
  readonly conversationId: string
  /** The turn that was sampled. */
  readonly turnId: string
  /** The person's message. */
  readonly message: Message
  /** The result of the turn. */
  readonly result: TurnResult
}

/** What a look gave, as the store keeps it. */
export interface KeptLook {
  /** The conversation of the turn. */
  readonly conversationId: string
  /** The turn. */
  readonly turnId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The value that the look has given. */
  readonly value: unknown
}

/** The options of `sampledMonitor`. */
export interface SampledMonitorOptions {
  /** The share of turns that are looked at, 0 to 1. 0.1 by default. */
  readonly rate?: number
  /** Looks at so many at once; what comes on top is let go. 4 by default. */
  readonly parallel?: number
  /** A look that failed. Ignored by default. */
  readonly onError?: (error: unknown, sample: Sample) => void
  /** Keeps what the looks return: the agent's store. `store.entries(name)` reads it, as `KeptLook`. */
  readonly store?: LearnedStore
  /** Milliseconds for which that is kept. 30 days by default. */
  readonly keepMs?: number
  /** Only needed where an agent has several. `sampled-monitor` by default. */
  readonly name?: string
}

const shape = (): Shape<SampledMonitorOptions> => ({
  rate: is.share,
  parallel: is.number(1),
  onError: is.run,
  store: is.port('get', 'set'),
  keepMs: is.number(1),
  name: is.text,
})

/**
 * Looks at some of the finished turns, after the fact: it never blocks, delays or changes one. For what must hold before
 * anyone sees an answer use a validator (`moderation`, `critic`, `structured`). A turn's id decides whether it is
 * looked at, so a replay looks at the same ones. What a look returns is kept in the store. Not a guard.
 *
 * ```ts
 * sampledMonitor(sample => quality.score(sample.result.text), { rate: 0.05 })
 * ```
 */
export function sampledMonitor(look: (sample: Sample) => unknown, options: SampledMonitorOptions = {}): Middleware {
  checkArgument('sampledMonitor', 'look', look, is.run)
  checkOptions('sampledMonitor', options, shape)
  const { rate = 0.1, parallel = 4, onError = () => {}, name = 'sampled-monitor', store, keepMs = month } = options
  let running = 0
  const keep = async ({ conversationId, turnId }: Sample, value: unknown, at: number) => {
    if (value === undefined) return
    const kept: KeptLook = { conversationId, turnId, at, value }
    await store?.set(name, `${conversationId} ${turnId}`, kept, at + keepMs)
  }
  const start = async (turn: Turn, about: Omit<Sample, 'result'>, clock: Pick<TurnClock, 'now'>) => {
    running++
    const sample = { ...about, result: await turn.settled }
    try {
      await keep(sample, await look(sample), clock.now())
    } catch (error) {
      onError(error, sample)
    } finally {
      running--
    }
  }
  return middleware({
    name,
    description: 'Looks at a sample of the turns, beside them.',
    onFailure: 'open',
    afterTurn({ message, turn, conversation, clock }) {
      if (running >= parallel || share(turn.id) >= rate) return
      void start(turn, { conversationId: conversation.id, turnId: turn.id, message }, clock).catch(() => {})
    },
  })
}

const month = 30 * 24 * 3_600_000

/** A number from 0 to 1 out of an id: FNV-1a, then mixed, because ids that follow each other differ in little. */
function share(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
