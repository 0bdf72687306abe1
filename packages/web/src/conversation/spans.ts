import type { WireEvent, WireOpenSpan, WireSpan } from 'turnbuckle/client'

/** A stage or hook of a turn; without `durationMs` it is still open. */
export type TimelineSpan = WireOpenSpan & Partial<WireSpan>

/** The spans of each turn, by their id. */
export type Spans = ReadonlyMap<string, ReadonlyMap<number, TimelineSpan>>

/** What was told of a turn so far, and more of it. An end is never undone by an opening that comes late. */
export function mergeSpans(known: Spans, turnId: string, told: Iterable<TimelineSpan>): Spans {
  const turn = new Map(known.get(turnId))
  for (const span of told) if (turn.get(span.id)?.durationMs === undefined) turn.set(span.id, span)
  return new Map(known).set(turnId, turn)
}

/** All that a batch of events tells of spans. */
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

/** A trace that was kept before spans had ids has no nesting: one after the other. */
export const numberSpans = (spans: readonly TimelineSpan[]): TimelineSpan[] =>
  spans.map((span, i) => ({ ...span, id: span.id ?? i }))
