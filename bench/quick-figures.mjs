/** The six figures of `--quick`, for whoever changes the loop: each with its goal, ratios to the bare loop of the same run. */
import { middle, number, verdict } from './report.mjs'

const FIGURES = [
  { id: 'steps', name: 'no hooks' },
  { id: 'steps.default', name: 'default agent, zod tool, async model' },
  { id: 'hooks.plain', name: 'one more plain hook', isCost: true },
  { id: 'hooks.async', name: 'one more async hook', isCost: true },
  { id: 'deltas.1', name: 'deltas' },
  { id: 'ships.terminal', name: 'as it ships, in memory' },
  { id: 'ships.durable', name: 'as it ships, on SQLite' },
]

export const QUICK_ROWS = ['steps', 'hooks', 'deltas', 'ships']
export const QUICK_LINES = FIGURES.map(({ id }) => id)

export const quickFigures = (lines, results) =>
  FIGURES.flatMap(({ id, name, isCost }) => {
    const line = lines.find(each => each.id === id)
    const [own, bare] = ['turnbuckle', 'bare'].map(subject => middle(results[id]?.[subject]))
    if (!line || own === undefined || bare === undefined) return []
    const figure = isCost ? `${number(own)} µs` : `${number(own / bare)} ×`
    const beside = `${number(own)} to ${number(bare)} ${line.unit}`
    return `${name.padEnd(38)}${figure.padStart(9)}   ${verdict(line, own, bare).padEnd(6)}${line.goal.say.padEnd(14)}${beside}`
  })
