// npm run test:same [-- --count N] [--from SEED] [--only core|managed|stored|crashed|across] [--before COMMIT] [--now COMMIT|DIST]
// Seeds from `--from` on, `--count` of them: a run can be repeated, and shared out among machines.
// Plays random programs with the first version and with the redesign of its core: what can be seen of them has to be the same.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureInstalled, root } from '../../../../scripts/ensure-installed.mjs'
import { builtAt } from './built-at.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    before: { type: 'string', default: process.env.TURNBUCKLE_BEFORE ?? '680d191' },
    // The redesign. Later commits behave differently on purpose: `--now packages/turnbuckle/dist` lists in what.
    now: { type: 'string', default: '00a7cd9' },
    most: { type: 'string', default: '20' },
    workers: { type: 'string', default: String(Math.max(2, availableParallelism())) },
  },
})
const stuckAfterMs = 120_000
const count = Number(values.count)

ensureInstalled()
const before = distOf(values.before)
const now = distOf(values.now)
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'turnbuckle-same-'))
const program = join(root, 'node_modules/.cache/turnbuckle-programs', `same-${process.pid}.mjs`)
let known
try {
  await bundle()
  known = knownFolder()
  process.exitCode = await playAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
}

/** A folder that is built already, or a commit. */
function distOf(given) {
  return existsSync(join(given, 'index.js')) ? resolve(given) : builtAt(given)
}

async function bundle() {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
}

/** Outcomes are known for one version before, and for the generator as it is now. */
function knownFolder() {
  const print = createHash('sha1').update(before).update(readFileSync(program)).digest('hex').slice(0, 16)
  return join(root, 'node_modules/.cache/turnbuckle-before', `known-${print}`)
}

async function playAll() {
  const workers = Math.min(Number(values.workers), count)
  const state = {
    played: Array(workers).fill(0),
    failed: 0,
    explained: 0,
    named: new Map(),
    had: new Map(),
    began: Date.now(),
    told: 0,
  }
  const finished = await Promise.all(Array.from({ length: workers }, (_, i) => playShare(i, workers, state)))
  const played = state.played.reduce((sum, share) => sum + share, 0)
  showCoverage(state.had)
  for (const [name, times] of state.named) console.log(`${times} × ${name}`)
  console.log(`${played} programs, ${state.explained} named differences, ${state.failed} unnamed`)
  return state.failed === 0 && finished.every(Boolean) && played === count ? 0 : 1
}

/**
 * Forks a worker process for every n-th seed, and another one for the rest where a program hangs: it may turn round and
 * round in either version. Resolves with true when all of them were played.
 */
async function playShare(i, step, state) {
  const last = Number(values.from) + count - 1
  for (let from = Number(values.from) + i; from <= last; ) {
    const { hungAt, isDone } = await playFrom(from, last, { i, step, earlier: state.played[i] }, state)
    if (hungAt === undefined) return isDone
    state.played[i]++
    from = hungAt + step
  }
  return true
}

/** Plays every n-th seed from `from` to `last`: up to its end, or to a program that hangs. */
function playFrom(from, last, { i, step, earlier }, state) {
  const checksNames = i === 0 && !earlier
  const most = Number(values.most)
  const job = { before, now, folder, known, from, last, step, only: values.only, most, checksNames }
  return new Promise(done => {
    const child = fork(program, { cwd: root })
    let seed = from
    let hungAt
    let isDone = false
    let timer
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        hungAt = seed
        state.failed++
        console.log(`A program hangs, in one version or in both: --from ${seed} --count 1`)
        child.kill('SIGKILL')
      }, stuckAfterMs)
    }
    watch()
    child.on('message', report => {
      watch()
      if (report.type === 'progress') seed = report.seed
      if (report.type === 'done') isDone = true
      take(report, i, earlier, state)
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (!isDone && hungAt === undefined) console.log(`A worker ended early (${signal ?? code}), at ${seed}.`)
      done({ hungAt, isDone })
    })
    child.send(job)
  })
}

function take(report, i, earlier, state) {
  if (report.played !== undefined) {
    state.played[i] = earlier + report.played
    showProgress(state)
  }
  if (report.type === 'done') for (const [feature, times] of Object.entries(report.had)) add(state.had, feature, times)
  if (report.type === 'stale') {
    state.failed++
    console.log(
      `The small program of a named difference shows ${report.shows?.join('; ') || 'something else'}: ${report.name}`,
    )
  }
  if (report.type === 'named') {
    state.explained++
    for (const name of report.names) add(state.named, name, 1)
  }
  if (report.type !== 'difference') return
  state.failed++
  if (report.difference) show(report.seed, report.difference)
}

function add(counts, key, times) {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

/** The number of programs that had each feature, in columns; a feature that none had is a hole. */
function showCoverage(had) {
  const cells = [...had].map(([feature, times]) => `${String(times).padStart(7)} ${feature}`.padEnd(42))
  console.log('\nPrograms that had each feature:')
  for (let i = 0; i < cells.length; i += 3)
    console.log(
      cells
        .slice(i, i + 3)
        .join('')
        .trimEnd(),
    )
  const holes = [...had].filter(([, times]) => !times).map(([feature]) => feature)
  if (holes.length) console.log(`No program had: ${holes.join(', ')}`)
}

function showProgress(state) {
  const at = Date.now()
  if (at - state.told < (process.stderr.isTTY ? 500 : 20_000)) return
  state.told = at
  const played = state.played.reduce((sum, share) => sum + share, 0)
  const rate = Math.round((played / (at - state.began)) * 1000)
  const line = `${played} of ${count} programs, ${state.failed} differ, ${rate} a second`
  process.stderr.write(process.stderr.isTTY ? `\r${line}   ` : `${line}\n`)
}

function show(seed, { program, common, before: was, now: is }) {
  console.log(`\nseed ${seed} (--from ${seed} --count 1 --only ${program.kind}), made smaller:`)
  console.log(
    JSON.stringify(program, undefined, 1)
      .replace(/\n\s+/g, ' ')
      .replace(
        / ("(owners|ready|script|replies|pipeline|errors|batches|settings|history|turns|people|store|crashes)":)/g,
        '\n  $1',
      ),
  )
  for (const line of common.slice(-12)) console.log(`    ${line.slice(0, 240)}`)
  console.log(`  before: ${was ?? '(nothing more)'}\n  now:    ${is ?? '(nothing more)'}`)
}
