import { type Middleware, middleware, type Span } from 'turnbuckle'
import type { HookFigures, WireOpenSpan, WireSpan, WireTrace } from 'turnbuckle/client'
import { differences } from './differences.ts'

const keptTurns = 200
const keptSpans = 5000
const keptTimes = 1000

interface Figures {
  calls: number
  failures: number
  /** Milliseconds of the last calls of a hook; the oldest is overwritten. */
  readonly times: number[]
}

/** A span of a turn that has begun or ended. */
export type SpanNews = { readonly opened: WireOpenSpan } | { readonly ended: WireSpan }

interface Kept {
  readonly spans: WireSpan[]
  readonly open: Map<number, WireOpenSpan>
}

/** Remembers the spans of the last turns, and the time of each hook. Bounded in turns, spans and text. */
export class Inspector {
  readonly #turns = new Map<string, Kept>()
  readonly #figures = new Map<string, Map<string, Figures>>()
  readonly middleware: Middleware

  constructor(tell: (turnId: string, news: SpanNews) => void) {
    this.middleware = middleware({
      name: 'inspector',
      priority: 1000,
      onOpen: span => {
        if (span.at === 'onChunk') return
        this.#of(span.turnId).open.set(span.id, span)
        tell(span.turnId, { opened: span })
      },
      onTrace: span => {
        if (span.kind === 'hook') this.#count(span)
        if (span.at === 'onChunk' && !hasActed(span)) return
        const seen = plainSpan(span)
        this.#keep(seen)
        tell(span.turnId, { ended: seen })
      },
    })
  }

  trace(turnId: string): WireTrace | undefined {
    const kept = this.#turns.get(turnId)
    return kept && { spans: kept.spans, open: [...kept.open.values()] }
  }
  /** Drops the spans of a turn, once the store has its trace. */
  forget(turnId: string): void {
    this.#turns.delete(turnId)
  }
  figures(name: string): HookFigures[] {
    return Array.from(this.#figures.get(name) ?? [], ([at, { calls, failures, times }]) => {
      const sorted = [...times].sort((a, b) => a - b)
      const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
      return { at, calls, failures, p50: quantile(0.5), p99: quantile(0.99) }
    })
  }

  #of(turnId: string): Kept {
    const known = this.#turns.get(turnId)
    if (known) return known
    const kept: Kept = { spans: [], open: new Map() }
    this.#turns.set(turnId, kept)
    if (this.#turns.size > keptTurns) this.#turns.delete(this.#turns.keys().next().value ?? '')
    return kept
  }
  #keep(span: WireSpan): void {
    const { spans, open } = this.#of(span.turnId)
    open.delete(span.id)
    if (spans.length < keptSpans) spans.push(span)
  }
  /** Counts a hook's call without the time that a request waited for its answer. */
  #count({ by = '', at = '', durationMs, waitedMs = 0, error }: Span): void {
    const hooks = this.#figures.get(by) ?? new Map<string, Figures>()
    this.#figures.set(by, hooks)
    const figures = hooks.get(at) ?? { calls: 0, failures: 0, times: [] }
    hooks.set(at, figures)
    figures.times[figures.calls++ % keptTimes] = durationMs - waitedMs
    if (error !== undefined) figures.failures++
  }
}

/** Hooks at `onChunk` are told only where they gave a directive, failed or changed a chunk: they see every chunk. */
const hasActed = ({ directive, error, changed }: Span): boolean =>
  directive !== undefined || error !== undefined || Boolean(changed?.length)

function plainSpan({ changed, ...span }: Span): WireSpan {
  const changes = changed?.flatMap(differences) ?? []
  return changes.length ? { ...span, changed: changes } : span
}
