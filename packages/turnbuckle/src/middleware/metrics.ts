import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Span } from '../core/hooks/span.ts'
import { checkArgument } from './check-options.ts'
import * as is from './kinds.ts'

/** The figures of a stage, or of a hook of a middleware. Times in milliseconds of the agent's clock. */
export interface Metric {
  /** Whether a stage is measured or a hook. */
  readonly kind: 'stage' | 'hook'
  /** `tool`, or for a hook `beforeTool`. */
  readonly name: string
  /** The middleware whose hook it is. */
  readonly by?: string
  /** The number of times the stage or hook ran. */
  readonly count: number
  /** The number of times it failed. An interrupt of the turn is no failure. */
  readonly failures: number
  /** Milliseconds in all. */
  readonly totalMs: number
  /** Percentiles of the newest durations. */
  readonly p50: number
  /** The 99th percentile, in milliseconds. */
  readonly p99: number
}

/** Gathers the figures. One may serve several agents. */
export interface Metrics {
  /** Counts a span. */
  record(span: Span): void
  /** The costliest first. */
  read(): Metric[]
  /** Forgets all spans so far. */
  reset(): void
}

/** `window`: how many of the newest times p50 and p99 are worked out from; 512 by default, so memory is bounded. */
export function createMetrics({ window = 512 }: { readonly window?: number } = {}): Metrics {
  const rows = new Map<string, Row>()
  return {
    record(span) {
      const key = `${span.at ?? span.stage} ${span.by ?? ''}`
      let row = rows.get(key)
      if (!row) {
        row = new Row(span, window)
        rows.set(key, row)
      }
      row.add(span)
    },
    read: () => Array.from(rows.values(), row => row.read()).sort((a, b) => b.totalMs - a.totalMs),
    reset: () => rows.clear(),
  }
}

class Row {
  readonly #of: Span
  readonly #window: number
  readonly #times: number[] = []
  #count = 0
  #failures = 0
  #total = 0

  constructor(of: Span, window: number) {
    this.#of = of
    this.#window = window
  }

  add({ durationMs, status, error }: Span): void {
    this.#times[this.#count++ % this.#window] = durationMs
    this.#total += durationMs
    if (status === 'failed' || (error !== undefined && status !== 'interrupted')) this.#failures++
  }

  read(): Metric {
    const { kind, stage, at, by } = this.#of
    const sorted = this.#times.toSorted((a, b) => a - b)
    const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
    return {
      kind,
      name: at ?? stage,
      ...(by === undefined ? {} : { by }),
      count: this.#count,
      failures: this.#failures,
      totalMs: this.#total,
      p50: rank(0.5),
      p99: rank(0.99),
    }
  }
}

/**
 * Measures every stage and every hook: count, time, failures, p50 and p99. A wrap's time has in it what it wraps.
 * Not a guard, and cannot stop anything.
 *
 * ```ts
 * const meter = createMetrics()
 * createAgent({ model, use: [metrics(meter)] })
 * console.table(meter.read())
 * ```
 */
export function metrics(into: Metrics): Middleware {
  checkArgument('metrics', 'into', into, is.port('record'))
  return middleware({
    name: 'metrics',
    description: 'Counts stages, hooks, tokens and cost.',
    onTrace: span => into.record(span),
  })
}
