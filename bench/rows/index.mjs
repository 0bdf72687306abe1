/**
 * The rows of the table, in order. A new row is a new file here and one line below.
 *
 * A row: { id, lines, measure(subject, budget) → { [line id]: number | string | undefined } }.
 * A line: { id, title, unit, goal?: { say, met({ own, bare, pi }), miss = 'over' } }. A value that is missing shows as "–".
 * `processes`: fresh processes per round, each measuring once (default 1).
 * budget: { ms: how long to sample, warmTurns: for turns that take milliseconds, tries: how often for slow things }.
 */
export const ROWS = [
  'steps',
  'hooks',
  'middleware',
  'ships',
  'deltas',
  'history',
  'conversations',
  'agents',
  'parallel',
  'import',
  'interrupt',
  'durable',
  'served',
  'served-many',
  'scale',
]

export const loadRow = async id => (await import(`./${id}.mjs`)).default
