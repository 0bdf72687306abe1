import type { TimelineSpan } from '../conversation/facts/spans.ts'

/** The time that a timeline covers: its first millisecond, and its length of at least one. */
export interface TimeScale {
  readonly from: number
  readonly ms: number
}

/** The scale of a turn's spans. While the turn runs it reaches to `now`. */
export function createTimeScale(spans: Iterable<TimelineSpan>, now: number): TimeScale {
  let [from, to] = [Number.POSITIVE_INFINITY, now]
  for (const { startedAt, durationMs = 0 } of spans) {
    from = Math.min(from, startedAt)
    to = Math.max(to, startedAt + durationMs)
  }
  return { from, ms: Math.max(1, to - from) }
}

/** Left edge and width of a span's bar, on the scale of its label. The style sheet draws a short one wide enough to be seen. */
export function barOnScale(
  startedAt: number,
  ms: number,
  scale: TimeScale,
): { readonly left: string; readonly width: string } {
  const width = (ms / scale.ms) * 100
  const left = Math.max(0, Math.min(100 - width, ((startedAt - scale.from) / scale.ms) * 100))
  return { left: `${left}%`, width: `${Math.min(100, width)}%` }
}
