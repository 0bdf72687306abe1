import type { TimelineSpan } from '../state/spans.ts'

export interface Nested {
  readonly span: TimelineSpan
  readonly children: readonly Nested[]
}

/** Each span inside the one around it, in the order they began. Where that one is not known, at the top. */
export function nest(spans: Iterable<TimelineSpan>): Nested[] {
  const all = new Map<number, { readonly span: TimelineSpan; readonly children: Nested[] }>()
  for (const span of [...spans].sort((a, b) => a.id - b.id)) all.set(span.id, { span, children: [] })
  const top: Nested[] = []
  for (const one of all.values()) {
    const around = one.span.parentId === undefined ? undefined : all.get(one.span.parentId)
    if (around) around.children.push(one)
    else top.push(one)
  }
  return top
}
