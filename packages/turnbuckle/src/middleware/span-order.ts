import type { Span } from '../core/hooks/span.ts'

interface Branch {
  readonly span: Span
  readonly inside: readonly Branch[]
}

/**
 * Spans come in the order they end; this is the order they are read in: a stage, then what happened inside it. Times do
 * not tell, because much begins within one tick of the clock.
 */
export function readingOrder(spans: readonly Span[]): Span[] {
  let open: Branch[] = []
  for (const span of spans) {
    if (span.kind === 'hook') {
      open.push({ span, inside: [] })
      continue
    }
    const inside = open.filter(branch => isInside(branch.span, span))
    open = open.filter(branch => !inside.includes(branch))
    open.push({ span, inside: inside.sort((a, b) => a.span.startedAt - b.span.startedAt) })
  }
  return open.flatMap(flat)
}

const flat = ({ span, inside }: Branch): Span[] => [span, ...inside.flatMap(flat)]

/** Calls of a batch run side by side: what belongs to one call is not inside another. */
function isInside(inner: Span, stage: Span): boolean {
  if (stage.callId !== undefined && inner.callId !== stage.callId) return false
  if (inner.kind === 'hook' && inner.depth === stage.depth) return inner.stage === stage.stage
  return inner.depth > stage.depth
}
