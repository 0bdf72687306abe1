import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createAgent, type Model } from 'turnbuckle'
import { postgresStore, shareTurns } from 'turnbuckle/stores'
import { startPostgres } from '../../../turnbuckle/test/postgres.ts'
import { createServer } from '../../src/index.ts'
import { SocketClient } from '../socket-client.ts'

/** Milliseconds between two words of a model, and how many words it says: each is the time at which it was said. */
const [wordEvery, words] = [25, 120]
const leaseMs = 4000

const clock: Model = {
  id: 'clock',
  async *stream() {
    for (let i = 0; i < words; i++) {
      await new Promise(resolve => setTimeout(resolve, wordEvery))
      yield { type: 'text', text: `${Date.now()} ` }
    }
  },
}

/** Serves; or, as a worker, begins a turn in each conversation that a line of its input names. */
async function play(role: string, url: string): Promise<void> {
  const store = postgresStore(url, { leaseMs })
  const agent = createAgent({ model: clock, store })
  if (role === 'server') {
    const server = await createServer({ agent, store, token: 'secret' })
    console.log(server.url)
    return
  }
  const shared = shareTurns(store)
  console.log('ready')
  for await (const id of createInterface({ input: process.stdin })) {
    const conversation = await agent.open(id)
    shared.carry(conversation, conversation.send('go'))
  }
}

interface Player {
  readonly child: ChildProcess
  readonly said: string
}
const players: ChildProcess[] = []
async function begin(role: 'server' | 'worker', url: string): Promise<Player> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', role, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  players.push(child)
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return { child, said: await new Promise<string>(resolve => lines.once('line', resolve)) }
}

const post = async (url: string, path: string, body: object) =>
  (
    await fetch(url + path, { method: 'POST', headers: { authorization: 'Bearer secret' }, body: JSON.stringify(body) })
  ).json() as Promise<Record<string, string>>

async function follow(url: string): Promise<{ readonly id: string; readonly client: SocketClient }> {
  const { id = '' } = await post(url, '/api/conversations', {})
  const client = await SocketClient.open(url, 'secret')
  await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
  return { id, client }
}

const isOver = ({ type }: { readonly type: string }) => /^turn\.(completed|stopped|failed|interrupted)$/.test(type)

function tell(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN)
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (${sorted.length})`)
}

/** Milliseconds from the moment a worker says a word until a client of the server has it. */
async function measureDeltas(server: string, worker: ChildProcess, count: number): Promise<void> {
  const times: number[] = []
  const followed = await Promise.all(Array.from({ length: count }, () => follow(server)))
  for (const { client } of followed)
    client.socket.on('message', data => {
      const { type, text } = JSON.parse(data.toString()) as { readonly type: string; readonly text?: string }
      if (type !== 'message.delta') return
      for (const said of (text ?? '').trim().split(' ')) times.push(Date.now() - Number(said))
    })
  for (const { id } of followed) worker.stdin?.write(`${id}\n`)
  await Promise.all(followed.map(({ client }) => client.until(isOver)))
  for (const { client } of followed) client.close()
  tell(`delta from a worker to a client of a server, ${count} at once`, times)
}

/** Milliseconds from the client's interrupt at the server until the client hears of the end. */
async function measureInterrupts(server: string, worker: ChildProcess, rounds: number): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const { id, client } = await follow(server)
    worker.stdin?.write(`${id}\n`)
    const { turnId } = await client.until(({ type }) => type === 'message.delta')
    const begun = performance.now()
    void client.ask({ type: 'interrupt', turnId })
    await client.until(isOver)
    times.push(performance.now() - begun)
    client.close()
  }
  tell('interrupt at a server until the end of a worker’s turn is heard', times)
}

/** Milliseconds until a turn goes on at another server: after a kill, and, for one that is stopped, after the end of its lease. */
async function measureTakeovers(url: string, signal: 'SIGKILL' | 'SIGSTOP', rounds: number): Promise<void> {
  const times: number[] = []
  const survivor = await begin('server', url)
  for (let i = 0; i < rounds; i++) {
    const doomed = await begin('server', url)
    const { id, client } = await follow(survivor.said)
    await post(doomed.said, `/api/conversations/${id}/turns`, { text: 'go' })
    await client.until(({ type }) => type === 'message.delta')
    const begun = performance.now()
    doomed.child.kill(signal)
    await client.until(({ type }) => type === 'message.discarded')
    times.push(performance.now() - begun - (signal === 'SIGSTOP' ? leaseMs : 0))
    doomed.child.kill('SIGKILL')
    client.close()
  }
  survivor.child.kill('SIGKILL')
  const what = signal === 'SIGKILL' ? 'killed, after the kill' : 'stopped, after the lease can have ended at the latest'
  tell(`takeover of a turn whose server was ${what}`, times)
}

async function measure(): Promise<void> {
  const postgres = await startPostgres()
  try {
    const url = await postgres.schema('measured')
    const [server, worker] = [await begin('server', url), await begin('worker', url)]
    for (const count of [1, 10, 50]) await measureDeltas(server.said, worker.child, count)
    await measureInterrupts(server.said, worker.child, 10)
    for (const { child } of [server, worker]) child.kill('SIGKILL')
    await measureTakeovers(url, 'SIGKILL', 5)
    await measureTakeovers(url, 'SIGSTOP', 5)
  } finally {
    for (const child of players) child.kill('SIGKILL')
    await postgres.stop()
  }
  process.exit(0)
}

const [, , role, url] = process.argv
if (role && url) await play(role, url)
else await measure()
