/** The table, in Markdown. `results[line id][subject id]` is the list of values over the rounds. */
import { median } from './stats.mjs'

const DASH = '–'

/** The middle of the rounds; a word ("never") wins over numbers, since it happened. */
export function middle(values = []) {
  const words = values.filter(value => typeof value === 'string')
  if (words.length > 0) return words[0]
  return values.length > 0 ? median(values) : undefined
}

export function table(lines, subjects, results) {
  const head = ['work', 'unit', 'goal', '', ...subjects.map(subject => subject.name)]
  const rows = lines.map(line => row(line, subjects, results[line.id] ?? {}))
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function row(line, subjects, values) {
  const bare = middle(values.bare)
  const cells = subjects.map(({ id }) => cell(middle(values[id]), id === 'bare' ? undefined : bare, line.unit))
  return [
    line.title,
    line.unit,
    line.goal?.say ?? '',
    verdict(line, middle(values.turnbuckle), bare, middle(values.pi)),
    ...cells,
  ]
}

/** PASS, or by which word the goal was missed. Only Turnbuckle has goals. */
export function verdict({ goal }, own, bare, pi) {
  if (!goal || own === undefined) return ''
  if (typeof own === 'string') return own
  // Measured without the peers.
  if (goal.isToPi && pi === undefined) return ''
  return goal.met({ own, bare, pi }) ? 'PASS' : (goal.miss ?? 'over')
}

function cell(value, bare, unit) {
  if (value === undefined) return DASH
  if (typeof value === 'string') return value
  const comparable = typeof bare === 'number' && bare > 0 && value > 0 && unit !== '%' && unit !== '×'
  if (unit === '%') return String(Math.round(value))
  return comparable ? `${number(value)} (${number(value / bare)} ×)` : number(value)
}

export function number(value) {
  if (value <= 0) return '≈ 0'
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)))
}

/** Lowest and highest round of bare and Turnbuckle, to judge the noise by. */
export function spread(lines, results) {
  const range = values => {
    const numbers = (values ?? []).filter(value => typeof value === 'number')
    return numbers.length > 0 ? `${number(Math.min(...numbers))} … ${number(Math.max(...numbers))}` : DASH
  }
  const rows = lines.map(({ id, title, unit }) => [
    title,
    unit,
    range(results[id]?.bare),
    range(results[id]?.turnbuckle),
  ])
  const all = [['work', 'unit', 'bare loop', 'turnbuckle'], ['---', '---', '---', '---'], ...rows]
  return all.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
