import type { WireEvent, WireOpenSpan, WireSpan } from 'turnbuckle/client'

/** A stage or hook of a turn. A span without `durationMs` is still open. */
export type TimelineSpan = WireOpenSpan & Partial<WireSpan>

/** The spans by turn id, then by span id. */
export type Spans = ReadonlyMap<string, ReadonlyMap<number, TimelineSpan>>

/** Adds spans to a turn. A span that has ended is not opened again by an opening that arrives late; whole model calls stay. */
export function mergeSpans(known: Spans, turnId: string, told: Iterable<TimelineSpan>): Spans {
  const turn = new Map(known.get(turnId))
  for (const span of told) {
    const before = turn.get(span.id)
    if (before?.durationMs === undefined || isWholeOf(before, span)) turn.set(span.id, span)
  }
  return new Map(known).set(turnId, turn)
}

const isWholeOf = (short: TimelineSpan, span: TimelineSpan): boolean =>
  Boolean(short.exchanges?.some(one => one.isShort) && span.exchanges?.some(one => !one.isShort))

/** Adds the spans that trace events carry. Gives the same object where there are none. */
export function addTracedSpans(known: Spans, events: readonly WireEvent[]): Spans {
  const told = new Map<string, TimelineSpan[]>()
  for (const event of events) {
    if (event.type !== 'trace.opened' && event.type !== 'trace.span') continue
    told.set(event.turnId, [...(told.get(event.turnId) ?? []), event.span])
  }
  let spans = known
  for (const [turnId, list] of told) spans = mergeSpans(spans, turnId, list)
  return spans
}

/** Gives spans of a trace that was stored before spans had ids a number, in their order. */
export const numberSpans = (spans: readonly TimelineSpan[]): TimelineSpan[] =>
  spans.map((span, i) => ({ ...span, id: span.id ?? i }))
