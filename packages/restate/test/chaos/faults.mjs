// The faults of a run, planned by its seed.
import { within } from './within.mjs'

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Every fault: the seconds between two of its kind, and what it does. A fault is over when its promise resolves, with what it hit. */
const kinds = {
  'worker killed': { every: [2, 8], act: ({ cluster, random }) => random.pick(cluster.workers).kill() },
  'worker stopped': {
    every: [12, 25],
    act: ({ cluster, random, leaseMs }) => random.pick(cluster.workers).freeze(leaseMs + random.between(1000, 3000)),
  },
  'PostgreSQL restarted': { every: [10, 10], act: ({ cluster }) => cluster.postgres.restart() },
  'Restate killed': { every: [20, 40], act: ({ cluster }) => cluster.killRestate() },
  'server killed': { every: [10, 20], act: ({ cluster, random }) => random.pick(cluster.servers).kill() },
  'network cut': {
    every: [10, 20],
    async act({ cluster, random }) {
      const link = random.pick(['database', 'ingress', 'workers', 'servers'])
      cluster.between[link].cut(true)
      await sleep(random.between(500, 3000))
      cluster.between[link].cut(false)
      return { link }
    },
  },
}

/** The kinds of faults there are. */
export const kindsOfFaults = Object.keys(kinds)

/** Lets faults of these kinds happen until `stop`, which resolves when all is healed, and rejects where a part did not come back. `pace` below 1 makes them come sooner. */
export function beginFaults({ cluster, random, leaseMs, chosen = kindsOfFaults, pace = 1 }) {
  const happened = []
  let isOver = false
  const wake = new Set()
  const pause = ms =>
    new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        wake.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      wake.add(end)
    })
  let fail
  const failed = new Promise((_, reject) => (fail = reject))
  failed.catch(() => {})
  const repeat = async (kind, { every, act }) => {
    const own = random.fork(kind)
    for (;;) {
      await pause(own.between(...every) * 1000 * pace)
      if (isOver) return
      const fault = { kind, at: Date.now() }
      happened.push(fault)
      Object.assign(fault, await within(120, kind, act({ cluster, random: own, leaseMs })))
      fault.until = Date.now()
    }
  }
  const loops = chosen.map(kind => repeat(kind, kinds[kind]))
  for (const loop of loops) loop.catch(fail)
  return {
    happened,
    /** Rejects where a part did not come back after a fault. */
    failed,
    get kinds() {
      return new Set(happened.map(({ kind }) => kind))
    },
    async stop() {
      isOver = true
      for (const end of wake) end()
      await Promise.all(loops)
      await Promise.all([...cluster.workers, ...cluster.servers].map(member => member.ready))
    },
  }
}
