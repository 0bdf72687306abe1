// npm run test:chaos [-- --turns N] [--conversations N] [--each N] [--seed N] [--pace P] [--within SECONDS] [--minutes N] [--faults KIND,…] [--page FILE] [--json FILE] [--keep]
// Turns on three workers and two servers while workers, servers, PostgreSQL and Restate are killed, stopped and cut off from each other.
// Ends with 0 when a checker, which reads the logs and the lines that tools have left, finds nothing wrong.
import { fork } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ensureInstalled, root } from '../../../../scripts/ensure-installed.mjs'

ensureInstalled()
const { bundlePrograms } = await import('./bundle.mjs')
const { problemsOf, workedElsewhere } = await import('./check.mjs')
const { Crowd } = await import('./crowd.mjs')
const { beginFaults, kindsOfFaults } = await import('./faults.mjs')
const { writePage } = await import('./page.mjs')
const { Parts } = await import('./parts.mjs')
const { randomOf } = await import('./random.mjs')
const { startCluster } = await import('./run-cluster.mjs')
const { takeovers } = await import('./takeovers.mjs')
const { Talker } = await import('./talker.mjs')
const { within } = await import('./within.mjs')
const { readWitnesses } = await import('./witnesses.mjs')

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '20000' },
    conversations: { type: 'string', default: '60' },
    each: { type: 'string', default: '25' },
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
const chosen = values.faults === 'none' ? [] : values.faults.split(',')
const leaseMs = 4000
/** Every turn has ended this long after the last fault, or it is lost. */
const healedWithin = Number(values.within) * 1000
/** A turn that runs for so long will not end by itself, however many faults come: the run need not wait for the other turns. */
const lostAfter = 600_000
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-chaos-'))
console.error(`seed ${seed}, ${turns} turns in ${conversations} conversations at a time, in ${folder}`)
const parts = new Parts()
let ending
const endAll = async () => {
  await within(60, 'The end of the cluster', parts.end()).catch(error => console.error(error.message))
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}
const ended = () => {
  ending ??= endAll()
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void ended().then(() => process.exit(130)))
let cluster
try {
  cluster = await within(180, 'The start of the cluster', startCluster({ folder, leaseMs, parts }))
  const result = await run()
  report(result)
  process.exitCode = result.problems.length ? 1 : 0
} finally {
  await ended()
}
process.exit()

async function run() {
  const random = randomOf(seed)
  // However many people there are, some six of them a second change servers: reading logs anew must not be what the run is busy with.
  const changeEvery = [2000, 8000].map(ms => ms * Math.max(1, conversations / 30))
  const make = name => new Talker({ ...cluster, random: random.fork(`talker ${name}`), name, changeEvery })
  const begin = Date.now()
  const until = begin + Number(values.minutes) * 60_000
  let isOver = false
  const faults = beginFaults({ cluster, random: random.fork('faults'), leaseMs, chosen, pace })
  // More turns are begun for as long as a kind of fault has not come yet.
  const wants = begun => !isOver && ((begun < turns && Date.now() < until) || faults.kinds.size < chosen.length)
  const crowd = new Crowd({ make, wants, each: Number(values.each) })
  const live = setInterval(() => console.error(liveLine(crowd, faults, begin)), 5000)
  const talking = crowd.talk(conversations)
  // Faults end when no more turns are begun: those that run then have a minute to end.
  await Promise.race([talking, untilLastBegun(crowd), faults.failed])
  isOver = true
  await within(180, 'The healing', faults.stop())
  const healedAt = Date.now()
  await Promise.race([talking, sleep(healedWithin)])
  clearInterval(live)
  const end = Date.now()
  const { talkers } = crowd
  const stillOpen = talkers.flatMap(({ turns: own, lastRefusal }) =>
    own.filter(({ endedAt }) => !endedAt).map(({ turnId }) => `${turnId} (last refusal: ${lastRefusal})`),
  )
  if (stillOpen.length) await keepEngineState()
  await within(60, 'The end of those who talk', Promise.all(talkers.map(talker => talker.end())))
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

/** Resolves when no more turns are begun, none has ended for so long that something must be wrong, or one must be lost. */
async function untilLastBegun(crowd) {
  for (let stalled = 0, before = -1; crowd.isBeginning; ) {
    if (stalled * 1000 >= healedWithin)
      return console.error(`No turn has ended for ${values.within} s: the faults end.`)
    if (crowd.longest > lostAfter)
      return console.error(`A turn has not ended in ${lostAfter / 1000} s: the faults end.`)
    await sleep(1000)
    const { done } = crowd
    stalled = done === before ? stalled + 1 : 0
    before = done
  }
}

async function check({ talkers, faults, stillOpen, begin, end, healedAt }) {
  const ids = join(folder, 'ids.json')
  const file = join(folder, 'logs.json')
  writeFileSync(ids, JSON.stringify(talkers.flatMap(({ id }) => id ?? [])))
  const bundles = join(root, `node_modules/.cache/turnbuckle-chaos-${process.pid}`)
  const { reader } = await bundlePrograms(['reader'], bundles)
  const reading = fork(reader, [cluster.databaseUrl, file, ids])
  const code = await within(900, 'Reading the logs', new Promise(resolve => reading.once('exit', resolve)))
  if (code !== 0) throw new Error('The logs could not be read.')
  const logs = await readLogs(file)
  const witnesses = readWitnesses(cluster.witnesses)
  const noise = readFileSync(join(folder, 'processes.log'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('UNHANDLED'))
  const problems = problemsOf({ logs, witnesses, talkers, stillOpen, noise })
  const taken = takeovers({ logs, witnesses, talkers, faults, leaseMs })
  const helped = workedElsewhere(talkers, witnesses)
  return { talkers, faults, problems, taken, begin, end, healedAt, logs, helped }
}

/** The logs that `reader.mjs` has written, by conversation. */
async function readLogs(file) {
  const logs = {}
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { id, events } = JSON.parse(line)
    logs[id] = events
  }
  return logs
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
      JSON.stringify({ summary, takeoverP95: at(clear, 0.95), taken, faults, problems: problems.slice(0, 50) }),
    )
  for (const [name, value] of Object.entries(summary)) console.log(`${name}: ${value}`)
  for (const problem of problems.slice(0, 50)) console.log(problem)
  console.log(`The page is ${values.page}; \`npm run test:chaos -- --seed ${seed}\` plans the same faults again.`)
}

function liveLine(crowd, faults, begin) {
  const { done, turns: all, longest } = crowd
  const seconds = ms => (ms / 1000).toFixed(0)
  return `${seconds(Date.now() - begin)} s: ${done} turns done, ${all.length - done} running (${seconds(longest)} s at most), ${faults.happened.length} faults`
}
