import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Span } from '../core/hooks/span.ts'
import { checkArgument } from './check-options.ts'
import * as is from './kinds.ts'
import { readingOrder } from './span-order.ts'

/** Keeps what happened in the newest turns, for `turnbuckle trace`, the inspector, or a test. */
export interface Timeline {
  /** Keeps a span. */
  record(span: Span): void
  /** The spans of a turn: each stage, then those inside it. Empty when the turn is not kept any more. */
  of(turnId: string): Span[]
  /** The ids of the turns that are kept, oldest first. */
  readonly turns: readonly string[]
  /** Follows what happens from now on. Returns how to stop. */
  subscribe(listener: (span: Span) => void): () => void
}

/** The options of `createTimeline`. */
export interface TimelineOptions {
  /** The newest turns that are kept. 100 by default. */
  readonly turns?: number
  /** The spans that are kept of one turn; later ones are dropped. 10,000 by default. */
  readonly spans?: number
  /** Keep what a hook changed, before and after, and not only that it did; and what each model call was sent and gave. No by default: prompts are large. */
  readonly values?: boolean
}

/** Makes a timeline: the spans of the newest turns, in memory. For `trace(timeline)`. */
export function createTimeline(options: TimelineOptions = {}): Timeline {
  const { turns = 100, spans = 10_000, values = false } = options
  const byTurn = new Map<string, Span[]>()
  const listeners = new Set<(span: Span) => void>()
  return {
    record(given) {
      const span = values ? given : withoutValues(given)
      const known = byTurn.get(span.turnId)
      if (!known) byTurn.set(span.turnId, [span])
      else if (known.length < spans) known.push(span)
      if (byTurn.size > turns) for (const oldest of [...byTurn.keys()].slice(0, -turns)) byTurn.delete(oldest)
      for (const listener of listeners) listener(span)
    },
    of: turnId => readingOrder(byTurn.get(turnId) ?? []),
    get turns() {
      return [...byTurn.keys()]
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A copy whose members are set afterwards: a spread among members takes ten times as long, and a turn has many spans. */
function withoutValues(span: Span): Span {
  if (!span.changed?.length && !span.exchanges) return span
  const kept: { -readonly [Member in keyof Span]: Span[Member] } = { ...span }
  if (kept.changed?.length) kept.changed = kept.changed.map(named)
  if (kept.exchanges) kept.exchanges = undefined
  return kept
}

const named = ({ what }: NonNullable<Span['changed']>[number]): NonNullable<Span['changed']>[number] => ({
  what,
  before: undefined,
  after: undefined,
})

/**
 * Records each stage and hook with its time, what it returned and what it changed. Not a guard, and cannot stop anything.
 *
 * ```ts
 * const timeline = createTimeline()
 * createAgent({ model, use: [trace(timeline)] })
 * timeline.of(turn.id)
 * ```
 */
export function trace(into: Pick<Timeline, 'record'>): Middleware {
  checkArgument('trace', 'into', into, is.port('record'))
  return middleware({
    name: 'trace',
    description: 'Records each stage and hook with its time.',
    onTrace: span => into.record(span),
  })
}
