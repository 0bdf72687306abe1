// Processor time of the chat until its first prompt is drawn and quiet: over `node -e 0`, and with a conversation of
// 1,000 messages over an empty one. In turns, the middle of the rounds; Linux only, and what is built.
// `npm run measure:chat [ROUNDS]`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const cli = new URL('../packages/cli/', import.meta.url)
const needs = createRequire(cli)
const { default: pty } = await import(pathToFileURL(needs.resolve('@lydell/node-pty')))
const { createAgent } = await import(pathToFileURL(needs.resolve('turnbuckle')))
const { sqliteStore } = await import(pathToFileURL(needs.resolve('turnbuckle/stores')))
const { scriptedModel } = await import(pathToFileURL(needs.resolve('turnbuckle/testing')))

const program = fileURLToPath(new URL('dist/main.js', cli))
const rounds = Number(process.argv[2] ?? 7)
const quietMs = 250
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-measure-'))
const places = { home: join(folder, 'home'), project: join(folder, 'project') }
for (const path of Object.values(places)) mkdirSync(path)
writeFileSync(join(places.home, 'config.json'), '{ "store": "sqlite:conversations.db" }')

/** Milliseconds that all threads of a process have run. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ran = threads.map(id => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6
}

/** Until `shown` is on the screen, and the process has done next to nothing for a while. */
async function measure(args, shown) {
  const env = { PATH: process.env.PATH, HOME: places.home, TURNBUCKLE_HOME: places.home, TERM: 'xterm-256color' }
  const terminal = pty.spawn(process.execPath, args, { cols: 80, rows: 24, cwd: places.project, env })
  let screen = ''
  terminal.onData(data => {
    screen += data
  })
  const ended = new Promise(resolve => terminal.onExit(resolve))
  let before = -1
  let spent = 0
  while (!screen.includes(shown) || spent - before > 1) {
    await sleep(quietMs)
    before = spent
    spent = processorMs(terminal.pid)
  }
  terminal.kill('SIGKILL')
  await ended
  return spent
}

/** A conversation of 500 messages of a person and as many replies. */
async function recordLong() {
  const store = await sqliteStore(join(places.home, 'conversations.db'))
  const reply = `A reply with **Markdown**, a list and code:\n\n- one\n- two\n\n\`\`\`js\nconst answer = 42\n\`\`\`\n`
  const agent = createAgent({ model: scriptedModel(Array.from({ length: 500 }, () => reply)), store })
  const conversation = agent.conversation()
  for (let i = 0; i < 500; i++) await conversation.send(`Message ${i}`).settled
  await agent.close()
  await store.close()
  return conversation.id
}

const best = times => Math.min(...times)
const middle = times => times.toSorted((a, b) => a - b)[times.length >> 1]

try {
  const chat = [program, 'chat', '--model', 'offline']
  const subjects = {
    'node -e 0': () => measure(['-e', 'console.log("ready"); setInterval(() => {}, 1e6)'], 'ready'),
    'an empty chat': () => measure(chat, 'Say something'),
  }
  const long = await recordLong()
  subjects['1,000 messages'] = () => measure([...chat, '--conversation', long], 'Say something')
  const times = Object.fromEntries(Object.keys(subjects).map(name => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(subjects)) times[name].push(await run())
  const [node, empty, full] = Object.values(times)
  for (const [name, all] of Object.entries(times))
    console.log(`${name.padEnd(16)} ${best(all).toFixed(0)} ms at best, ${middle(all).toFixed(0)} in the middle`)
  // A busy machine spoils one of the two, a slow program both.
  const either = compare => Math.min(compare(best), compare(middle))
  const over = either(of => of(empty) - of(node))
  const longer = either(of => of(full) / of(empty))
  console.log(`an empty chat over node -e 0: ${over.toFixed(0)} ms (wanted: at most 250)`)
  console.log(`1,000 messages to an empty chat: ${longer.toFixed(2)} times (wanted: at most 1.2)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
