import { type Middleware, type ModelExchange, middleware, type Span } from 'turnbuckle'
import type { HookFigures, WireOpenSpan, WireSpan, WireTrace } from 'turnbuckle/client'
import { conversationSettingsName } from '../settings/conversation-settings.ts'
import { differences } from './differences.ts'
import { shortExchange, wholeExchange } from './shown-exchange.ts'

const keptTurns = 200
const keptSpans = 5000
const keptTimes = 1000
const keptChanges = 20
/** Turns whose model calls can be shown whole. */
const wholeTurns = 50

interface Figures {
  calls: number
  failures: number
  /** Milliseconds of the last calls of a hook; the oldest is overwritten. */
  readonly times: number[]
}

/** A span of a turn that has begun or ended. */
export type SpanNews = { readonly opened: WireOpenSpan } | { readonly ended: WireSpan }

/** One span for the calls of a hook at the chunks of a stage. */
type Gathered = WireSpan & { readonly count: number }

interface Kept {
  readonly spans: WireSpan[]
  readonly open: Map<number, WireOpenSpan>
  /** Calls of hooks at chunks, by stage and then by middleware. */
  readonly gathered: Map<number | undefined, Map<string, Gathered>>
}

/** The server's own hook is in a timeline only where it has changed a model call, or has failed. */
const isOwnHook = ({ by }: Pick<Span, 'by'>): boolean => by === conversationSettingsName

/** Remembers the spans of the last turns, and the time of each hook. Bounded in turns, spans and text. */
export class Inspector {
  readonly #turns = new Map<string, Kept>()
  readonly #figures = new Map<string, Map<string, Figures>>()
  /** The model calls of the last turns by span, as they were. They outlive a turn's trace, which the store has in short. */
  readonly #exchanges = new Map<string, Map<number, readonly ModelExchange[]>>()
  readonly middleware: Middleware

  constructor(tell: (turnId: string, news: SpanNews) => void) {
    this.middleware = middleware({
      name: 'inspector',
      priority: 1000,
      onOpen: span => {
        if (span.at === 'onChunk' || isOwnHook(span)) return
        this.#of(span.turnId).open.set(span.id, span)
        tell(span.turnId, { opened: span })
      },
      onTrace: span => {
        if (isOwnHook(span) && !span.changed?.length && span.error === undefined) return
        if (span.kind === 'hook') this.#count(span)
        if (span.at === 'onChunk') return this.#gather(span)
        if (span.kind === 'stage') for (const gathered of this.#takeGathered(span)) this.#end(gathered, tell)
        this.#keepExchanges(span)
        this.#end(plainSpan(span), tell)
      },
    })
  }
  #end(span: WireSpan, tell: (turnId: string, news: SpanNews) => void): void {
    this.#keep(span)
    tell(span.turnId, { ended: span })
  }
  #keepExchanges({ turnId, id, exchanges }: Span): void {
    if (!exchanges) return
    const ofTurn = this.#exchanges.get(turnId) ?? new Map<number, readonly ModelExchange[]>()
    this.#exchanges.set(turnId, ofTurn.set(id, exchanges))
    if (this.#exchanges.size > wholeTurns) this.#exchanges.delete(this.#exchanges.keys().next().value ?? '')
  }
  /** Adds a hook's call at a chunk to the one span of that hook in its stage. */
  #gather(span: Span): void {
    const { turnId, parentId, by = '' } = span
    const { gathered } = this.#of(turnId)
    const inStage = gathered.get(parentId) ?? new Map<string, Gathered>()
    gathered.set(parentId, inStage)
    const known = inStage.get(by)
    const { changed: more = [], ...plain } = plainSpan(span)
    const changed = [...(known?.changed ?? []), ...more].slice(0, keptChanges)
    const durationMs = (known?.durationMs ?? 0) + span.durationMs
    const { directive = known?.directive, reason = known?.reason, error = known?.error } = plain
    inStage.set(by, {
      ...(known ?? plain),
      directive,
      reason,
      durationMs,
      ...(error === undefined ? {} : { error }),
      count: (known?.count ?? 0) + 1,
      ...(changed.length ? { changed } : {}),
    })
  }
  /** The gathered spans of a stage that ends. */
  #takeGathered({ turnId, id }: Span): Iterable<WireSpan> {
    const { gathered } = this.#of(turnId)
    const inStage = gathered.get(id)
    gathered.delete(id)
    return inStage?.values() ?? []
  }

  trace(turnId: string): WireTrace | undefined {
    const kept = this.#turns.get(turnId)
    return kept && { spans: kept.spans, open: [...kept.open.values()] }
  }
  /** The spans with whole model calls, of a turn that ran here lately; else as they are. */
  whole(turnId: string, spans: readonly WireSpan[]): readonly WireSpan[] {
    const ofTurn = this.#exchanges.get(turnId)
    if (!ofTurn) return spans
    return spans.map(span => {
      const exchanges = ofTurn.get(span.id)
      return exchanges ? { ...span, exchanges: exchanges.map(wholeExchange) } : span
    })
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
    const kept: Kept = { spans: [], open: new Map(), gathered: new Map() }
    this.#turns.set(turnId, kept)
    if (this.#turns.size > keptTurns) this.#turns.delete(this.#turns.keys().next().value ?? '')
    return kept
  }
  #keep(span: WireSpan): void {
    const { spans, open } = this.#of(span.turnId)
    open.delete(span.id)
    if (spans.length < keptSpans) spans.push(span)
  }
  /** Counts a hook's call without the time that a request waited for its answer. A stopped turn is no failure of its hooks. */
  #count({ by = '', at = '', durationMs, waitedMs = 0, error, status }: Span): void {
    const hooks = this.#figures.get(by) ?? new Map<string, Figures>()
    this.#figures.set(by, hooks)
    const figures = hooks.get(at) ?? { calls: 0, failures: 0, times: [] }
    hooks.set(at, figures)
    figures.times[figures.calls++ % keptTimes] = durationMs - waitedMs
    if (error !== undefined && status !== 'interrupted') figures.failures++
  }
}

/** The span with its texts. Member by member: there are dozens in a turn, and leaving members out of a copy takes ten times as long. */
function plainSpan(span: Span): WireSpan {
  const plain: WireSpan = {
    id: span.id,
    parentId: span.parentId,
    kind: span.kind,
    at: span.at,
    by: span.by,
    stage: span.stage,
    turnId: span.turnId,
    step: span.step,
    callId: span.callId,
    depth: span.depth,
    startedAt: span.startedAt,
    durationMs: span.durationMs,
    status: span.status,
    directive: span.directive,
    reason: span.reason,
    error: span.error,
  }
  const { changed, exchanges, waitedMs } = span
  const changes = changed?.length ? changed.flatMap(differences) : []
  if (changes.length === 0 && !exchanges && waitedMs === undefined) return plain
  return {
    ...plain,
    ...(waitedMs === undefined ? {} : { waitedMs }),
    ...(changes.length ? { changed: changes } : {}),
    ...(exchanges ? { exchanges: exchanges.map(shortExchange) } : {}),
  }
}
