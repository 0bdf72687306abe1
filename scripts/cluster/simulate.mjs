// node scripts/cluster/simulate.mjs [FIGURES.json]: 1,000,000 conversations with 10,000 running turns, from the figures of measure.mjs, or those
// beside this file.
// A turn visits its stations (server, Restate's partition, worker, PostgreSQL) again and again while the model thinks in between; each station is
// a queue with so many cores. Prints how busy each is, on paper and simulated, and how long a visit waits, for more and more turns, and which
// station gives out first.
import { readFileSync } from 'node:fs'

const file = process.argv[2] ?? new URL('./figures.json', import.meta.url)
/** Milliseconds of processor that a turn with one tool call takes at each station, as measured with three workers. */
const given = JSON.parse(readFileSync(file, 'utf8'))['turns a second'][3]['processor ms a turn']

/** Cores that work for each station. Restate's are partitions that lead somewhere; PostgreSQL's share one log. */
const cores = { workers: 48, servers: 16, restate: 24, postgres: 32 }
/** Visits of a turn at each station: orders and results, commits, events that are told. */
const visits = { servers: 8, restate: 6, workers: 8, postgres: 16 }
/** Milliseconds that a turn takes, nearly all of it the model's. */
const turnMs = 30_000
const simulatedMs = 60_000

/** A queue with several cores, by the time at which each is free again. */
class Station {
  #free
  busy = 0
  waits = []
  constructor(count) {
    this.#free = new Float64Array(count)
  }
  /** The end of a visit that comes at a time and takes so long. */
  visit(at, ms) {
    let first = 0
    for (let i = 1; i < this.#free.length; i++) if (this.#free[i] < this.#free[first]) first = i
    const begin = Math.max(at, this.#free[first])
    this.#free[first] = begin + ms
    this.busy += ms
    this.waits.push(begin - at)
    return begin + ms
  }
}

/** Numbers that repeat: the simulation gives the same each time. */
function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** Runs a minute with that many turns running at once. */
function simulate(running) {
  const next = numbers(1)
  const stations = Object.fromEntries(Object.entries(cores).map(([name, count]) => [name, new Station(count)]))
  const arrivals = []
  for (let at = 0; at < simulatedMs; at += (-Math.log(1 - next()) * turnMs) / running)
    for (const [name, count] of Object.entries(visits))
      for (let i = 0; i < count; i++) arrivals.push({ at: at + (turnMs * (i + next())) / count, name })
  arrivals.sort((a, b) => a.at - b.at)
  // The first turn's length fills the system, and is not counted.
  const counted = arrivals.filter(({ at }) => at < simulatedMs)
  for (const { at, name } of counted) stations[name].visit(at, (given[name] / visits[name]) * -Math.log(1 - next()))
  return Object.entries(stations).map(([name, { busy, waits }]) => {
    const sorted = waits.slice(Math.floor(waits.length / 2)).sort((a, b) => a - b)
    const share = busy / (cores[name] * (simulatedMs - turnMs / 2))
    const onPaper = (running / turnMs) * (given[name] / cores[name])
    return { name, share, onPaper, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
  })
}

console.log(
  `processor ms a turn: ${JSON.stringify(given)}; cores: ${JSON.stringify(cores)}; a turn takes ${turnMs / 1000} s`,
)
for (const running of [1000, 5000, 10_000, 15_000, 20_000, 30_000]) {
  const rows = simulate(running)
  const first = rows.reduce((most, row) => (row.share > most.share ? row : most))
  const shown = rows.map(
    ({ name, share, onPaper, p99 }) =>
      `${name} ${Math.round(onPaper * 100)} % on paper, ${Math.round(share * 100)} % simulated, p99 waits ${p99.toFixed(0)} ms`,
  )
  console.log(
    `${running} running turns, ${Math.round(running / (turnMs / 1000))}/s: ${shown.join('; ')}; first to give out: ${first.name}`,
  )
}
