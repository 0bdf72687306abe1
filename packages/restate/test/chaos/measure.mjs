// node packages/restate/test/chaos/measure.mjs [--turns N] [--parked N]: the figures of docs/cluster.md, as JSON.
// Turns a second with one, two and three workers, the engine's part of a turn against the server's own process, memory of parked turns.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled } from '../../../../scripts/ensure-installed.mjs'

ensureInstalled()
const { startCluster, token } = await import('./run-cluster.mjs')
const { values } = parseArgs({
  options: { turns: { type: 'string', default: '300' }, parked: { type: 'string', default: '500' } },
})
const [turns, parked] = [Number(values.turns), Number(values.parked)]
const people = 30

async function withCluster(options, work) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-measure-'))
  const cluster = await startCluster({ folder, ...options })
  try {
    return await work(cluster)
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
const callOf = url => async (method, path, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  return response.json()
}
const makeConversation = async call => (await call('POST', '/api/conversations', {})).id

/** Sends a turn, and gives the milliseconds until its end was heard. */
async function timeTurn({ url, call, id, text }) {
  const abort = new AbortController()
  const { seq } = await call('GET', `/api/conversations/${id}`)
  const response = await fetch(`${url}/api/conversations/${id}/events?after=${seq}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const begin = performance.now()
  const sent = call('POST', `/api/conversations/${id}/turns`, { text })
  let heard = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    heard += chunk
    if (heard.includes('"type":"turn.completed"')) break
  }
  abort.abort()
  await sent
  return performance.now() - begin
}

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

/** Turns a second of many people at once, each with one tool call, and the milliseconds of processor that a turn takes where. */
const throughput = workers =>
  withCluster({ workers }, async ({ url, workers: working, servers, restatePid, postgres }) => {
    const processor = () => ({
      workers: working.reduce((sum, { pid }) => sum + processorOf(pid), 0),
      servers: servers.reduce((sum, { pid }) => sum + processorOf(pid), 0),
      restate: processorOf(restatePid()),
      postgres: processorOf(postgres.pid),
    })
    const call = callOf(url)
    const ids = await Promise.all(Array.from({ length: people }, () => makeConversation(call)))
    const before = processor()
    const begin = performance.now()
    const each = Math.ceil(turns / people)
    const talk = async (id, person) => {
      for (let i = 0; i < each; i++) await timeTurn({ url, call, id, text: `do p${person}x${i} mark say` })
    }
    await Promise.all(ids.map(talk))
    const done = each * people
    const rate = Number((done / ((performance.now() - begin) / 1000)).toFixed(1))
    const after = processor()
    const perTurn = Object.keys(before).map(name => [name, Number(((after[name] - before[name]) / done).toFixed(2))])
    return { rate, 'processor ms a turn': Object.fromEntries(perTurn) }
  })

const memoryOf = pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

/** Kilobytes that a parked turn costs in each kind of process. */
const parkedMemory = () =>
  withCluster({}, async ({ url, workers, servers, restatePid }) => {
    const call = callOf(url)
    const used = () => ({
      restate: memoryOf(restatePid()),
      workers: workers.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
      servers: servers.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
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
    const before = used()
    await park(parked)
    const after = used()
    return Object.fromEntries(
      Object.keys(before).map(name => [name, Number(((after[name] - before[name]) / parked).toFixed(1))]),
    )
  })

const figures = {
  'ms a turn, in the server': await latency({ workers: 1, servers: 1, engine: false }),
  'ms a turn, on a worker': await latency({ workers: 1, servers: 1 }),
  'turns a second': { 1: await throughput(1), 2: await throughput(2), 3: await throughput(3) },
  'KB a parked turn': await parkedMemory(),
}
console.log(JSON.stringify(figures, undefined, 2))
process.exit()
