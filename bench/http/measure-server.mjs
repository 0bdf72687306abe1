import { fork, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, timed } from '../stats.mjs'
import { askServer, clients, follow } from './clients.mjs'

const CALLS = 9

const serve = fileURLToPath(new URL('./serve.mjs', import.meta.url))
const told = child => new Promise(resolve => child.once('message', resolve))
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

async function start(kind, count, database) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bench-served-'))
  const args = database === undefined ? [kind, folder] : [kind, folder, database]
  const child = fork(serve, args, { stdio: 'inherit', execArgv: ['--expose-gc'] })
  const address = await told(child)
  const open = await Promise.all(Array.from({ length: count }, () => clients[kind](address)))
  const say = message => {
    const answer = told(child)
    child.send(message)
    return answer
  }
  return {
    address,
    folder,
    pid: child.pid,
    open,
    say,
    async close() {
      for (const client of open) client.close()
      const ended = new Promise(resolve => child.once('exit', resolve))
      await say('close')
      await ended
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Every client sends its next message when the turn before is over, until the time is up or it has sent `turns`. */
async function talk(open, { ms = Infinity, turns = Infinity }) {
  const times = []
  const began = performance.now()
  const one = async client => {
    for (let k = 0; k < turns && performance.now() - began < ms; k++) {
      const at = performance.now()
      await client.turn()
      times.push(performance.now() - at)
    }
  }
  await Promise.all(open.map(one))
  return { times: times.sort((a, b) => a - b), ms: performance.now() - began }
}

/** Turns a second, the median of a turn, processor time a turn, and the delay of the event loop. */
export async function measureServer(kind, { conversations, ms }) {
  const server = await start(kind, conversations)
  await talk(server.open, { ms: ms / 2 })
  await server.say('begin')
  const { times, ms: took } = await talk(server.open, { ms })
  const { cpuMs, delayMs } = await server.say('end')
  await server.close()
  server.remove()
  const perSecond = (1000 * times.length) / took
  return { perSecond, p50: times[times.length >> 1], cpu: cpuMs / times.length, delay: delayMs }
}

/** Syncs and bytes written a turn, and what the database grows by. Undefined where there is no strace. */
export async function measureDisk(kind, { conversations, turns }) {
  const server = await start(kind, conversations)
  await talk(server.open, { turns: 3 })
  const out = join(server.folder, 'trace')
  const calls = ['-f', '-q', '-y', '-e', 'trace=fdatasync,fsync,pwrite64', '-o', out]
  const tracer = spawn('strace', [...calls, '-p', String(server.pid)], { stdio: 'ignore' })
  const isThere = await Promise.race([
    new Promise(resolve => tracer.once('error', () => resolve(false))),
    sleep(1500).then(() => tracer.exitCode === null),
  ])
  const before = grown(server.folder)
  await talk(server.open, { turns })
  await sleep(500)
  if (isThere) {
    const ended = new Promise(resolve => tracer.once('exit', resolve))
    tracer.kill('SIGINT')
    await ended
  }
  const lines = isThere
    ? readFileSync(out, 'utf8')
        .split('\n')
        .filter(line => line.includes('.db'))
    : []
  await server.close()
  const each = (sum, unit = 1) => sum / unit / conversations / turns
  const bytes = lines.reduce((sum, line) => sum + Number(/pwrite64\(.* = (\d+)$/.exec(line)?.[1] ?? 0), 0)
  const growth = each(grown(server.folder) - before, 1024)
  server.remove()
  if (!isThere) return { growth }
  return { syncs: each(lines.filter(line => /sync\(/.test(line)).length), written: each(bytes, 1024), growth }
}

/** Medians of the list and of each search, in milliseconds, and the bytes that are held with `open` conversations followed. */
export async function measureFilled(path, { searches = [], open = 0 }) {
  const server = await start('filled', 0, path)
  const took = async call => {
    const times = []
    for (let i = 0; i < CALLS; i++) times.push(await timed(() => askServer(server.address, call)))
    return median(times)
  }
  const list = await took('/api/conversations?limit=50')
  const search = []
  for (const text of searches) search.push(await took(`/api/search?q=${encodeURIComponent(text)}`))
  const { conversations } = JSON.parse(await askServer(server.address, `/api/conversations?limit=${Math.max(1, open)}`))
  const streams = open ? await Promise.all(conversations.map(({ id }) => follow(server.address, id))) : []
  const { memory } = await server.say('memory')
  for (const stream of streams) stream.destroy()
  await server.close()
  server.remove()
  return { list, search, memory }
}

/** Bytes of the database, by its own count of pages: the newest is in the write-ahead log, or in the file. */
function grown(folder) {
  const [name] = readdirSync(folder, { recursive: true }).filter(file => String(file).endsWith('.db'))
  const path = join(folder, String(name))
  const head = readFileSync(path).subarray(0, 100)
  const pageSize = head.readUInt16BE(16)
  return lastSize(`${path}-wal`, pageSize) ?? statSync(path).size
}

/** The size that the last commit in a write-ahead log has left the database with. */
function lastSize(path, pageSize) {
  let log
  try {
    log = readFileSync(path)
  } catch {
    return undefined
  }
  let pages
  for (
    let at = 32;
    at + 24 + pageSize <= log.length && log.compare(log, 16, 24, at + 8, at + 16) === 0;
    at += 24 + pageSize
  )
    pages = log.readUInt32BE(at + 4) || pages
  return pages === undefined ? undefined : pages * pageSize
}
