import type { TimelineSpan } from '../conversation/facts/spans.ts'

export interface NestedSpan {
  readonly span: TimelineSpan
  readonly children: readonly NestedSpan[]
}

/** Puts each span into its parent, in the order they began. A span whose parent is not known stands at the top. */
export function nestSpans(spans: Iterable<TimelineSpan>): NestedSpan[] {
  const all = new Map<number, { readonly span: TimelineSpan; readonly children: NestedSpan[] }>()
  for (const span of [...spans].sort((a, b) => a.id - b.id)) all.set(span.id, { span, children: [] })
  const top: NestedSpan[] = []
  for (const one of all.values()) {
    const around = one.span.parentId === undefined ? undefined : all.get(one.span.parentId)
    if (around) around.children.push(one)
    else top.push(one)
  }
  return top
}
