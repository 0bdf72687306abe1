import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillStore, WORDS } from '../http/fill-store.mjs'
import { measureFilled } from '../http/measure-server.mjs'
import { median } from '../stats.mjs'

const MANY = 100_000
const SOME = 10_000
const OPEN = 200
const STARTS = 5
const program = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
const say = count => count.toLocaleString('en')
const atMost = (most, unit) => ({ say: `≤ ${most} ${unit}`, met: ({ own }) => own <= most })

/** The server with a store that has grown. */
export default {
  id: 'scale',
  unloaded: true,
  lines: [
    { id: 'scale.ready', title: '`serve` until it is ready, over `node -e 0`', unit: 'ms', goal: atMost(400, 'ms') },
    { id: 'scale.list', title: `the list with ${say(MANY)} conversations`, unit: 'ms', goal: atMost(50, 'ms') },
    { id: 'scale.search', title: 'search in them', unit: 'ms', goal: atMost(200, 'ms') },
    {
      id: 'scale.memory',
      title: `memory with ${say(SOME)} conversations and ${OPEN} open, to an empty server's × 1.2 + 100 KiB each open`,
      unit: '×',
      goal: atMost(1, '×'),
    },
  ],
  async measure(subject) {
    if (!subject.ships) return {}
    const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bench-scale-'))
    try {
      return { 'scale.ready': await readyMs(folder), ...(await long(folder)), ...(await memory(folder)) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Milliseconds until a process says something or ends. */
function timeOf(args, env) {
  return new Promise(resolve => {
    const began = performance.now()
    const child = spawn(process.execPath, args, { env, cwd: env.TURNBUCKLE_HOME, stdio: ['ignore', 'pipe', 'ignore'] })
    let ms
    const told = () => {
      ms ??= performance.now() - began
      child.kill('SIGKILL')
    }
    child.stdout.once('data', told)
    child.once('exit', () => {
      told()
      resolve(ms)
    })
  })
}

async function readyMs(folder) {
  const home = join(folder, 'home')
  mkdirSync(home)
  const env = { ...process.env, TURNBUCKLE_HOME: home }
  const over = []
  for (let i = 0; i < STARTS; i++) {
    const empty = await timeOf(['-e', '0'], env)
    over.push((await timeOf([program, 'serve', '--port', '0', '--model', 'offline'], env)) - empty)
  }
  return median(over)
}

async function long(folder) {
  const path = join(folder, 'long.db')
  await fillStore(path, MANY)
  const { list, search } = await measureFilled(path, { searches: Object.values(WORDS) })
  return { 'scale.list': list, 'scale.search': Math.max(...search) }
}

async function memory(folder) {
  const paths = ['empty', 'some'].map(name => join(folder, `${name}.db`))
  await fillStore(paths[0], 1)
  await fillStore(paths[1], SOME)
  const empty = await measureFilled(paths[0], {})
  const filled = await measureFilled(paths[1], { open: OPEN })
  return { 'scale.memory': filled.memory / (1.2 * empty.memory + OPEN * 100 * 1024) }
}
