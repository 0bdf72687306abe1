import type { TimelineSpan } from '../conversation/facts/spans.ts'
import { type NestedSpan, nestSpans } from './nest-spans.ts'

/** A row of the timeline. */
export interface SpanRow {
  readonly span: TimelineSpan
  /** The number of spans around it. */
  readonly level: number
}

/** The spans of a turn as rows: each below the one around it, in the order they began. */
export function flattenSpans(spans: Iterable<TimelineSpan>): SpanRow[] {
  const rows: SpanRow[] = []
  const add = ({ span, children }: NestedSpan, level: number) => {
    rows.push({ span, level })
    for (const child of children) add(child, level + 1)
  }
  for (const top of nestSpans(spans)) add(top, 0)
  return rows
}
