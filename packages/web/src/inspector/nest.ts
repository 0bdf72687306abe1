import type { WireSpan } from 'turnbuckle/client'

export interface Nested {
  readonly span: WireSpan
  readonly children: readonly Nested[]
}

/**
 * Spans come when they end: children before their stage. A stage takes what ended before it inside it: deeper stages,
 * and its own hooks. Of calls that ran side by side each takes its own.
 */
export function nest(spans: readonly WireSpan[]): Nested[] {
  let open: Nested[] = []
  for (const span of spans) {
    if (span.kind === 'hook') {
      open.push({ span, children: [] })
      continue
    }
    const inside = ({ span: other }: Nested) =>
      (other.depth > span.depth ||
        (other.kind === 'hook' && other.depth === span.depth && other.stage === span.stage)) &&
      (span.callId === undefined || other.callId === span.callId)
    const children = open.filter(inside)
    open = [...open.filter(one => !inside(one)), { span, children }]
  }
  return open
}
