import type { Message, Span } from 'turnbuckle'
import { formatDuration } from './format-count.ts'
import { oneLine } from './one-line.ts'

/** A span, or several alike in one line. */
interface Row extends Span {
  readonly times: number
}

/**
 * A timeline in the terminal: a line per stage and hook, nested, with a bar for when it ran. Calls are named by
 * `messages`.
 */
export function drawTrace(spans: readonly Span[], width = 100, messages: readonly Message[] = []): readonly string[] {
  const calls = callNames(messages)
  const begin = Math.min(...spans.map(({ startedAt }) => startedAt))
  const whole = Math.max(1, ...spans.map(({ startedAt, durationMs }) => startedAt + durationMs - begin))
  const barWidth = Math.max(6, Math.min(24, Math.floor(width / 5)))
  const rows = folded(spans)
  const names = rows.map(row => `${(width < 60 ? ' ' : '  ').repeat(depthOf(row))}${nameOf(row, calls)}`)
  const nameWidth = Math.min(Math.max(...names.map(({ length }) => length)), 44, Math.max(14, width - barWidth - 14))
  return rows.map((row, i) => {
    const from = Math.floor(((row.startedAt - begin) / whole) * (barWidth - 1))
    const length = Math.max(1, Math.round((row.durationMs / whole) * barWidth))
    const bar = (' '.repeat(from) + (row.kind === 'stage' ? '█' : '▒').repeat(length))
      .slice(0, barWidth)
      .padEnd(barWidth)
    const name = names[i] ?? ''
    const shown = name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth)
    const line = `${shown} ${bar} ${cost(row.durationMs).padStart(7)}${outcome(row)}`.trimEnd()
    return line.length > width ? `${line.slice(0, width - 1)}…` : line
  })
}

/**
 * An `onChunk` hook is one row for all chunks of a reply; a call that returned a directive or threw has a row of its
 * own.
 */
function folded(spans: readonly Span[]): readonly Row[] {
  const rows: Row[] = []
  /** Row index of each folded hook, within the reply that is being read. */
  const open = new Map<string, number>()
  for (const span of spans) {
    if (span.at !== 'onChunk') open.clear()
    const folds = span.at === 'onChunk' && !span.directive && !span.error
    const key = `${span.parentId} ${span.by}`
    const at = folds ? open.get(key) : undefined
    const row = at === undefined ? undefined : rows[at]
    if (row && at !== undefined)
      rows[at] = { ...row, times: row.times + 1, durationMs: row.durationMs + span.durationMs }
    else {
      if (folds) open.set(key, rows.length)
      rows.push({ ...span, times: 1 })
    }
  }
  return rows
}

/** Most hooks take less than a millisecond: `66 µs`. */
const cost = (ms: number): string => (ms < 1 ? `${Math.round(ms * 1000)} µs` : formatDuration(ms))

/** A hook is inside its stage. */
const depthOf = ({ kind, depth }: Span): number => (kind === 'hook' ? depth + 1 : depth)

const callNames = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap(({ content }) => content.flatMap(part => (part.type === 'call' ? [[part.id, part.name]] : []))),
  )

function nameOf({ kind, stage, at, by, step, callId, times }: Row, calls: ReadonlyMap<string, string>): string {
  if (kind === 'hook') return `${at} · ${oneLine(by ?? '')}${times > 1 ? ` × ${times}` : ''}`
  if (stage === 'step') return `step ${step}`
  return callId ? `${stage} ${oneLine(calls.get(callId) ?? callId)}` : oneLine(stage)
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
