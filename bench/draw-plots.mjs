/** Draws `bench/plots/*.svg` from the figures of RESULTS.md; a plot whose figures the page lacks is not drawn. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readResults } from './read-results.mjs'
import conversations from './rows/conversations.mjs'
import deltas from './rows/deltas.mjs'
import history from './rows/history.mjs'
import served, { COUNTS, turnsTitle } from './rows/served-many.mjs'
import steps from './rows/steps.mjs'
import { barChart, curveChart } from './svg-chart.mjs'

const here = new URL('./', import.meta.url)
const OURS = 'turnbuckle'
const titleOf = (row, id) => row.lines.find(line => line.id === id).title

/** The plots of a page of results: `{ [file name]: svg }`. */
export function plotsOf(page) {
  const results = readResults(page)
  const drawn = {
    'steps.svg': bars(results, titleOf(steps, 'steps'), 'µs of processor time a step, fewer is better'),
    'deltas.svg': bars(
      results,
      titleOf(deltas, 'deltas.1'),
      'million deltas a second of processor time, more is better',
    ),
    'memory.svg': bars(results, titleOf(conversations, 'conversations.peak'), 'KiB, fewer is better'),
    'growth.svg': growth(results),
    'turns.svg': turns(results),
  }
  return Object.fromEntries(Object.entries(drawn).filter(([, svg]) => svg !== undefined))
}

function bars(results, title, subtitle) {
  const found = Object.entries(results[title] ?? {}).filter(([, value]) => value > 0)
  if (!found.length) return undefined
  return barChart({ title, subtitle, bars: found.map(([name, value]) => ({ name, value, isOurs: name === OURS })) })
}

function growth(results) {
  const [short, long] = ['history.10', 'history.10000'].map(id => results[titleOf(history, id)] ?? {})
  const names = Object.keys(short).filter(name => long[name])
  if (!names.length) return undefined
  return curveChart({
    title: 'Between two model calls, as the history grows',
    subtitle: 'µs, fewer is better',
    across: 'messages of history',
    curves: names.map(name => ({
      name,
      isOurs: name === OURS,
      points: [
        [10, short[name]],
        [10_000, long[name]],
      ],
    })),
  })
}

/** Our server on SQLite, in memory, and the AI SDK route, which are all measured in our column. */
function turns(results) {
  const curves = served.kinds.map(({ kind, name }) => ({
    name,
    isOurs: kind === 'sqlite',
    points: COUNTS.flatMap(count => {
      const value = results[turnsTitle(name, count)]?.[OURS]
      return value ? [[count, value]] : []
    }),
  }))
  const known = curves.filter(({ points }) => points.length > 1)
  if (!known.length) return undefined
  const title = 'Turns over HTTP against the number of conversations at once'
  return curveChart({
    title,
    subtitle: 'turns a second, more is better',
    across: 'conversations at once',
    curves: known,
  })
}

/** Writes the plots; their names. */
export function drawPlots() {
  const plots = plotsOf(readFileSync(new URL('RESULTS.md', here), 'utf8'))
  mkdirSync(new URL('plots/', here), { recursive: true })
  for (const [name, svg] of Object.entries(plots)) writeFileSync(new URL(`plots/${name}`, here), svg)
  return Object.keys(plots)
}
