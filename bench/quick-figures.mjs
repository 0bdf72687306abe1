/** The figures of `--quick`, for whoever changes the loop: each with its goal, beside the bare loop of the same process. */
import { number, verdict } from './report.mjs'

/** By line. What a hook costs is a difference of its own, so the bare loop is not beside it. */
export const FIGURES = {
  steps: { row: 'steps', name: 'no hooks' },
  'steps.default': { row: 'steps', name: 'default agent, zod tool, async model' },
  'hooks.plain': { row: 'hooks', name: 'one more plain hook', isCost: true },
  'hooks.async': { row: 'hooks', name: 'one more async hook', isCost: true },
  'deltas.1': { row: 'deltas', name: 'deltas' },
  'ships.loop': { row: 'ships', name: "programs' set, tracing, no store" },
  'ships.terminal': { row: 'ships', name: 'as it ships, in memory' },
  'ships.durable': { row: 'ships', name: 'as it ships, on SQLite' },
}

export function quickFigure(id, line, [own, bare]) {
  const { name, isCost } = FIGURES[id]
  const figure = isCost ? `${number(own)} µs` : `${number(own / bare)} ×`
  const beside = isCost ? '' : `${number(own)} to ${number(bare)} ${line.unit}`
  return `${name.padEnd(38)}${figure.padStart(9)}   ${verdict(line, own, bare).padEnd(6)}${line.goal.say.padEnd(16)}${beside}`.trimEnd()
}
