// npm run test:chaos [-- --turns N] [--conversations N] [--seed N] [--pace P] [--within SECONDS] [--minutes N] [--faults KIND,…] [--page FILE] [--json FILE] [--keep]
// Turns on three workers and two servers while workers, servers, PostgreSQL and Restate are killed, stopped and cut off from each other.
// Ends with 0 when a checker, which reads the logs and the lines that tools have left, finds nothing wrong.
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, root } from '../../../../scripts/ensure-installed.mjs'

ensureInstalled()
const { bundlePrograms } = await import('./bundle.mjs')
const { problemsOf, workedElsewhere } = await import('./check.mjs')
const { beginFaults, kindsOfFaults } = await import('./faults.mjs')
const { writePage } = await import('./page.mjs')
const { Parts } = await import('./parts.mjs')
const { randomOf } = await import('./random.mjs')
const { startCluster } = await import('./run-cluster.mjs')
const { takeovers } = await import('./takeovers.mjs')
const { Talker } = await import('./talker.mjs')
const { readWitnesses } = await import('./witnesses.mjs')

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '20000' },
    conversations: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    pace: { type: 'string', default: '1' },
    within: { type: 'string', default: '60' },
    minutes: { type: 'string', default: 'Infinity' },
    faults: { type: 'string', default: kindsOfFaults.join(',') },
    page: { type: 'string', default: 'chaos.html' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const [turns, conversations, seed, pace] = ['turns', 'conversations', 'seed', 'pace'].map(name => Number(values[name]))
const chosen = values.faults.split(',')
const leaseMs = 4000
/** Every turn has ended this long after the last fault, or it is lost. */
const healedWithin = Number(values.within) * 1000
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-chaos-'))
console.error(`seed ${seed}, ${turns} turns in ${conversations} conversations, in ${folder}`)
const parts = new Parts()
let ending
const endAll = async () => {
  await parts.end()
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}
const ended = () => {
  ending ??= endAll()
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void ended().then(() => process.exit(130)))
let cluster
try {
  cluster = await startCluster({ folder, leaseMs, parts })
  const result = await run()
  report(result)
  process.exitCode = result.problems.length ? 1 : 0
} finally {
  await ended()
}
process.exit()

async function run() {
  const random = randomOf(seed)
  const make = i => new Talker({ ...cluster, random: random.fork(`talker ${i}`), name: `t${i}` })
  const talkers = Array.from({ length: conversations }, (_, i) => make(i))
  await Promise.all(talkers.map(talker => talker.begin()))
  const begin = Date.now()
  const faults = beginFaults({ cluster, random: random.fork('faults'), leaseMs, chosen, pace })
  const live = setInterval(() => console.error(liveLine(talkers, faults, begin)), 5000)
  const each = Math.ceil(turns / conversations)
  const until = begin + Number(values.minutes) * 60_000
  let isDone = false
  const talking = Promise.all(
    talkers.map(talker => talkOn(talker, { count: each, until }, () => faults.kinds.size < chosen.length && !isDone)),
  )
  // Faults end with the turns, or before them: then what is left has a minute to end.
  const last = await Promise.race([talking, untilNearlyDone(talkers, turns)])
  isDone = true
  await faults.stop()
  const healedAt = Date.now()
  if (!last) await Promise.race([talking, sleep(healedWithin)])
  clearInterval(live)
  const end = Date.now()
  const stillOpen = talkers.flatMap(({ turns: own, lastRefusal }) =>
    own.filter(({ endedAt }) => !endedAt).map(({ turnId }) => `${turnId} (last refusal: ${lastRefusal})`),
  )
  if (stillOpen.length) await keepEngineState()
  await Promise.all(talkers.map(talker => talker.end()))
  return check({ talkers, faults: faults.happened, stillOpen, begin, end, healedAt })
}

/** Keeps the engine's view of turns that have not ended, for whoever looks into it (`--keep`). */
async function keepEngineState() {
  const query =
    "SELECT target, status, retry_count, last_failure, modified_at, next_retry_at FROM sys_invocation WHERE status != 'completed'"
  const response = await fetch(`http://127.0.0.1:${cluster.adminPort}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  writeFileSync(join(folder, 'invocations.json'), await response.text())
}

/** A person's turns, begun until a time; more of them for as long as a kind of fault has not come yet. */
async function talkOn(talker, { count, until }, wantsMore) {
  for (let number = 0; Date.now() < until && (number < count || wantsMore()); number++) await talker.talk(number)
  return true
}
async function untilNearlyDone(talkers, count) {
  const done = () => talkers.reduce((sum, talker) => sum + talker.turns.filter(({ endedAt }) => endedAt).length, 0)
  for (let stalled = 0, before = -1; stalled * 1000 < healedWithin; ) {
    await sleep(1000)
    const now = done()
    stalled = now === before ? stalled + 1 : 0
    before = now
    if (now >= count) return undefined
  }
  return undefined
}

async function check({ talkers, faults, stillOpen, begin, end, healedAt }) {
  const ids = join(folder, 'ids.json')
  const file = join(folder, 'logs.json')
  writeFileSync(ids, JSON.stringify(talkers.map(({ id }) => id)))
  const bundles = join(root, `node_modules/.cache/turnbuckle-chaos-${process.pid}`)
  const { reader } = await bundlePrograms(['reader'], bundles)
  const code = await new Promise(resolve => fork(reader, [cluster.databaseUrl, file, ids]).once('exit', resolve))
  if (code !== 0) throw new Error('The logs could not be read.')
  const logs = JSON.parse(readFileSync(file, 'utf8'))
  const witnesses = readWitnesses(cluster.witnesses)
  const noise = readFileSync(join(folder, 'processes.log'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('UNHANDLED'))
  const problems = problemsOf({ logs, witnesses, talkers, stillOpen, noise })
  const taken = takeovers({ logs, witnesses, talkers, faults, leaseMs })
  const helped = workedElsewhere(talkers, witnesses)
  return { talkers, faults, problems, taken, begin, end, healedAt, logs, helped }
}

function report({ talkers, faults, problems, taken, begin, end, healedAt, logs, helped }) {
  const all = talkers.flatMap(talker => talker.turns)
  const inOrder = (list, name) => list.map(one => one[name]).sort((a, b) => a - b)
  const clear = inOrder(
    taken.filter(({ isClear }) => isClear),
    'ms',
  )
  const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0
  const spread = list => `median ${at(list, 0.5)} ms, p95 ${at(list, 0.95)} ms, longest ${list.at(-1) ?? 0} ms`
  const count = kind => faults.filter(fault => fault.kind === kind).length
  const summary = {
    seed,
    turns: all.length,
    'turns lost': all.filter(({ endedAt }) => !endedAt).length,
    events: Object.values(logs).reduce((sum, events) => sum + events.length, 0),
    'sub-agents on another worker than their caller': `${helped.elsewhere} of ${helped.all}`,
    reconnects: talkers.reduce((sum, { reconnects }) => sum + reconnects, 0),
    faults: [...new Set(faults.map(({ kind }) => kind))].map(kind => `${kind} ${count(kind)} ×`).join(', '),
    'takeovers while all else was well': `${clear.length}: ${spread(clear)}`,
    'takeovers, outages of other parts taken off': `${taken.length}: ${spread(inOrder(taken, 'ms'))}`,
    'takeovers, outages included': spread(inOrder(taken, 'all')),
    'last turn after healing': `${((end - healedAt) / 1000).toFixed(1)} s`,
    'turns a second': (all.length / ((end - begin) / 1000)).toFixed(1),
    problems: problems.length,
  }
  const ends = all.flatMap(({ endedAt }) => endedAt ?? [])
  writeFileSync(values.page, writePage({ summary, faults, ends, taken, begin, end, problems }))
  if (values.json)
    writeFileSync(
      values.json,
      JSON.stringify({ summary, takeoverP95: at(clear, 0.95), taken, problems: problems.slice(0, 50) }),
    )
  for (const [name, value] of Object.entries(summary)) console.log(`${name}: ${value}`)
  for (const problem of problems.slice(0, 50)) console.log(problem)
  console.log(`The page is ${values.page}; \`npm run test:chaos -- --seed ${seed}\` plans the same faults again.`)
}

function liveLine(talkers, faults, begin) {
  const all = talkers.flatMap(talker => talker.turns)
  const done = all.filter(({ endedAt }) => endedAt).length
  return `${((Date.now() - begin) / 1000).toFixed(0)} s: ${done} turns done, ${all.length - done} running, ${faults.happened.length} faults`
}
