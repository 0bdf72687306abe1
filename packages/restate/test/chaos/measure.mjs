// node packages/restate/test/chaos/measure.mjs [--turns N] [--parked N] [--takeovers N] [--only NAME]: the figures of docs/cluster.md, as JSON.
// Turns a second with one, two and three workers, the engine's part of a turn against the server's own process, memory of parked turns.
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureInstalled } from '../../../../scripts/ensure-installed.mjs'

ensureInstalled()
const { default: pg } = await import('pg')
const { callOf, makeConversation, timeTurn, withCluster } = await import('./measuring.mjs')
const { measureCrossing } = await import('./measure-crossing.mjs')
const { measureTakeovers } = await import('./measure-takeovers.mjs')
const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '300' },
    parked: { type: 'string', default: '500' },
    takeovers: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
})
const [turns, parked] = [Number(values.turns), Number(values.parked)]
const people = 30

/** The median of turns one after the other. */
const latency = options =>
  withCluster(options, async ({ url }) => {
    const call = callOf(url)
    const id = await makeConversation(call)
    const times = []
    for (let i = 0; i < 60; i++) times.push(await timeTurn({ url, call, id, text: `do l${i} say` }))
    return Math.round(times.slice(10).sort((a, b) => a - b)[25])
  })

/** Milliseconds of processor that a process and its children have had. */
function processorOf(pid) {
  const read = one => {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ')
      return { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * 10 }
    } catch {
      return { parent: 0, ms: 0 }
    }
  }
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return all.reduce((sum, one) => (read(one).parent === pid ? sum + read(one).ms : sum), read(pid).ms)
}

async function databaseSize(url) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes')
  await client.end()
  return Number(rows[0].bytes) / 1024
}

/** Turns a second of many people at once, each with one tool call, and the milliseconds of processor that a turn takes where. */
const throughput = workers =>
  withCluster({ workers }, async ({ url, workers: working, servers, restatePid, postgres, databaseUrl }) => {
    const processor = () => ({
      workers: working.reduce((sum, { pid }) => sum + processorOf(pid), 0),
      servers: servers.reduce((sum, { pid }) => sum + processorOf(pid), 0),
      restate: processorOf(restatePid()),
      postgres: processorOf(postgres.pid),
    })
    const call = callOf(url)
    const ids = await Promise.all(Array.from({ length: people }, () => makeConversation(call)))
    const before = { ...processor(), stored: await databaseSize(databaseUrl) }
    const begin = performance.now()
    const each = Math.ceil(turns / people)
    const talk = async (id, person) => {
      for (let i = 0; i < each; i++) await timeTurn({ url, call, id, text: `do p${person}x${i} mark say` })
    }
    await Promise.all(ids.map(talk))
    const done = each * people
    const rate = Number((done / ((performance.now() - begin) / 1000)).toFixed(1))
    const after = { ...processor(), stored: await databaseSize(databaseUrl) }
    const perTurn = Object.keys(before).map(name => [name, Number(((after[name] - before[name]) / done).toFixed(1))])
    const { stored, ...cpu } = Object.fromEntries(perTurn)
    return { rate, 'processor ms a turn': cpu, 'KB a turn in PostgreSQL': stored }
  })

const memoryOf = pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
const heapsOf = async members => {
  const heaps = await Promise.all(members.map(member => member.heap()))
  return heaps.reduce((sum, bytes) => sum + bytes / 1024, 0)
}

/** Kilobytes that a parked turn costs in each kind of process: of Restate all that it has, of the others what is left after a collection. */
const parkedMemory = () =>
  withCluster({}, async ({ url, workers, servers, restatePid }) => {
    const call = callOf(url)
    const used = async () => ({
      restate: memoryOf(restatePid()),
      workers: await heapsOf(workers),
      servers: await heapsOf(servers),
    })
    const park = async count => {
      for (let i = 0; i < count; i += 10)
        await Promise.all(
          Array.from({ length: 10 }, async (_, j) => {
            const id = await makeConversation(call)
            await call('POST', `/api/conversations/${id}/turns`, { text: `do q${i + j} ask say` })
          }),
        )
      await new Promise(resolve => setTimeout(resolve, 5000))
    }
    await park(100)
    const before = await used()
    await park(parked)
    const after = await used()
    return Object.fromEntries(
      Object.keys(before).map(name => [name, Number(((after[name] - before[name]) / parked).toFixed(1))]),
    )
  })

const parts = {
  'ms a turn, in the server': () => latency({ workers: 1, servers: 1, engine: false }),
  'ms a turn, on a worker': () => latency({ workers: 1, servers: 1 }),
  'turns a second': async () => ({ 1: await throughput(1), 2: await throughput(2), 3: await throughput(3) }),
  'KB a parked turn': parkedMemory,
  'ms between a worker and a client': () => measureCrossing(10),
  'ms to take a turn over': () => measureTakeovers(Number(values.takeovers)),
}
const figures = {}
for (const [name, measure] of Object.entries(parts)) if (name.includes(values.only)) figures[name] = await measure()
console.log(JSON.stringify(figures, undefined, 2))
process.exit()
