import type { TimelineSpan } from '../conversation/spans.ts'

export interface NestedSpan {
  readonly span: TimelineSpan
  readonly children: readonly NestedSpan[]
}

/** Each span inside the one around it, in the order they began. Where that one is not known, at the top. */
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
