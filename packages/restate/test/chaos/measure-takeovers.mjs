// Milliseconds for which a turn stands still when its worker is gone and all else is well.
import { eventsOf } from './events-of.mjs'
import { callOf, makeConversation, spreadOf, withCluster } from './measuring.mjs'
import { readWitnesses } from './witnesses.mjs'

const leaseMs = 4000
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Takeovers after a kill, from the lost connection on, and after a stop, from the end of the lease on. */
export const measureTakeovers = count =>
  withCluster({ leaseMs }, async cluster => ({
    killed: spreadOf(await many(count, i => takeover(cluster, `k${i}`, worker => worker.kill()))),
    stopped: spreadOf(
      await many(count, i => takeover(cluster, `s${i}`, worker => worker.freeze(2.5 * leaseMs), leaseMs)),
    ),
  }))

async function many(count, measure) {
  const times = []
  for (let i = 0; i < count; i++) times.push(await measure(i))
  return times
}

/** Loses the worker of a turn while its model speaks, and gives the milliseconds until its next event, from `after` on. */
async function takeover({ url, workers, witnesses }, name, lose, after = 0) {
  const call = callOf(url)
  const id = await makeConversation(call)
  await call('POST', `/api/conversations/${id}/turns`, { text: `do ${name} think say` })
  const worker = await workerOf(name, { workers, witnesses })
  const { seq } = await call('GET', `/api/conversations/${id}`)
  const lostAt = Date.now()
  const healed = lose(worker)
  const { at } = await nextEvent(url, id, seq)
  await healed
  await Promise.all(workers.map(({ ready }) => ready))
  return Math.max(0, at - lostAt - after)
}

async function workerOf(name, { workers, witnesses }) {
  for (;;) {
    const { pid } = readWitnesses(witnesses).find(({ model }) => model === name) ?? {}
    if (pid) return workers.find(worker => worker.pid === pid)
    await sleep(10)
  }
}

async function nextEvent(url, id, seq) {
  for await (const event of eventsOf(url, id, seq)) if (event.seq > seq) return event
  throw new Error('The server has ended.')
}
