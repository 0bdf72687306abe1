import { formatMoney } from '../text/format-count.ts'
import type { EvalOutcome } from './run-eval.ts'

/** The figures of one model with one set of middleware. */
interface Column {
  readonly title: string
  readonly outcomes: readonly EvalOutcome[]
}

/** The comparison as lines: sums of each model and set side by side, then every task. */
export function evalTable(outcomes: readonly EvalOutcome[]): readonly string[] {
  const columns = columnsOf(outcomes)
  const tasks = [...new Set(outcomes.map(({ task }) => task))].sort()
  const rows: string[][] = [
    ['', ...columns.map(({ title }) => title)],
    ['success', ...columns.map(({ outcomes: all }) => `${all.filter(({ passed }) => passed).length} of ${all.length}`)],
    ['steps, mean', ...columns.map(column => mean(column, ({ steps }) => steps).toFixed(1))],
    ['tokens, mean', ...columns.map(column => String(Math.round(mean(column, tokensOf))))],
    ['cost', ...columns.map(costOf)],
    ['time, mean', ...columns.map(column => `${(mean(column, ({ ms }) => ms) / 1000).toFixed(1)} s`)],
    [],
    ...tasks.map(task => [task, ...columns.map(({ outcomes: all }) => cell(all.filter(one => one.task === task)))]),
  ]
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  return rows.map(row =>
    row.map((text, i) => (i ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[0] ?? 0))).join('  '),
  )
}

function columnsOf(outcomes: readonly EvalOutcome[]): readonly Column[] {
  const isOneSet = new Set(outcomes.map(({ set }) => set)).size === 1
  const columns = new Map<string, EvalOutcome[]>()
  for (const outcome of outcomes) {
    const title = isOneSet ? outcome.model : `${outcome.model} + ${outcome.set}`
    columns.set(title, [...(columns.get(title) ?? []), outcome])
  }
  return [...columns].map(([title, all]) => ({ title, outcomes: all }))
}

const tokensOf = ({ inputTokens, outputTokens }: EvalOutcome): number => inputTokens + outputTokens

const mean = ({ outcomes }: Column, read: (outcome: EvalOutcome) => number): number =>
  outcomes.reduce((sum, outcome) => sum + read(outcome), 0) / outcomes.length

/** A sum with a part that nobody knows is not known. */
function costOf({ outcomes }: Column): string {
  if (outcomes.some(({ cost }) => cost === undefined)) return 'not known'
  return formatMoney(outcomes.reduce((sum, { cost = 0 }) => sum + cost, 0)) || '$0'
}

function cell(outcomes: readonly EvalOutcome[]): string {
  const passed = outcomes.filter(one => one.passed).length
  const mark = outcomes.length > 1 ? `${passed}/${outcomes.length}` : passed ? '✓' : '✗'
  const steps = outcomes.reduce((sum, one) => sum + one.steps, 0) / (outcomes.length || 1)
  const ended = outcomes.find(one => !one.passed && one.status !== 'completed')
  const count = `${Number.isInteger(steps) ? steps : steps.toFixed(1)} ${steps === 1 ? 'step' : 'steps'}`
  return `${mark} ${count}${ended ? ` (${ended.status})` : ''}`
}
