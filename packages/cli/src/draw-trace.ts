import type { Span } from 'turnbuckle'
import { duration, oneLine } from './terminal-text.ts'

/** A timeline in the terminal: a line per stage and hook, nested, with a bar for when it ran. */
export function drawTrace(spans: readonly Span[], width = 100): readonly string[] {
  const begin = Math.min(...spans.map(({ startedAt }) => startedAt))
  const whole = Math.max(1, ...spans.map(({ startedAt, durationMs }) => startedAt + durationMs - begin))
  const barWidth = Math.max(6, Math.min(24, Math.floor(width / 4)))
  const names = spans.map(span => `${'  '.repeat(span.depth)}${nameOf(span)}`)
  const nameWidth = Math.min(Math.max(...names.map(({ length }) => length)), 44, Math.max(14, width - barWidth - 14))
  return spans.map((span, i) => {
    const from = Math.floor(((span.startedAt - begin) / whole) * (barWidth - 1))
    const length = Math.max(1, Math.round((span.durationMs / whole) * barWidth))
    const bar = (' '.repeat(from) + (span.kind === 'stage' ? '█' : '▒').repeat(length))
      .slice(0, barWidth)
      .padEnd(barWidth)
    const name = names[i] ?? ''
    const shown = name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth)
    const line = `${shown} ${bar} ${cost(span.durationMs).padStart(7)}${outcome(span)}`.trimEnd()
    return line.length > width ? `${line.slice(0, width - 1)}…` : line
  })
}

/** Most hooks take less than a millisecond: `66 µs`. */
const cost = (ms: number): string => (ms < 1 ? `${Math.round(ms * 1000)} µs` : duration(ms))

function nameOf({ kind, stage, at, by, step, callId }: Span): string {
  if (kind === 'hook') return `${at} · ${by}`
  if (stage === 'step') return `step ${step}`
  return callId ? `${stage} ${callId}` : stage
}

function outcome({ status, directive, reason, error, changed }: Span): string {
  const parts = [
    status && status !== 'done' ? status : '',
    directive ? `→ ${directive}${reason ? ` (${oneLine(reason, 60)})` : ''}` : '',
    changed?.length ? `changed ${changed.map(({ what }) => what).join(', ')}` : '',
    error ? `✗ ${oneLine(error, 80)}` : '',
  ].filter(Boolean)
  return parts.length ? `  ${parts.join('  ')}` : ''
}
