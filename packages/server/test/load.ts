import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAgent, type Model } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { createServer, type Server } from '../src/index.ts'
import { SocketClient } from './socket-client.ts'

export interface Load {
  readonly conversations: number
  /** Sockets that read. */
  readonly healthy: number
  /** Sockets that do not, in every other block. */
  readonly stalled: number
  /** Turns that each healthy socket sends in a block, one after the other. */
  readonly turns: number
  /** How often a block without stalled sockets is followed by one with them. */
  readonly rounds: number
}

/** One block of turns. */
export interface Block {
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time, clients included: what else the machine does is not in it. */
  readonly worked: number
  /** Megabytes of heap and buffers that are held at its end and were not at its beginning. */
  readonly grown: number
  /** Sockets that did not read and were closed for it. */
  readonly cutOff: number
}

export interface Figures {
  readonly without: readonly Block[]
  readonly withStalled: readonly Block[]
  /** Whether each healthy socket saw every number once, in order. */
  readonly contiguous: boolean
}

/** Bytes that may wait for one client. */
export const bufferLimit: number = 64 * 1024
/** Milliseconds that a client may take nothing. */
const stallMs = 500

/** Forty deltas of a thousand characters. */
const talkative: Model = {
  id: 'talkative',
  async *stream() {
    for (let i = 0; i < 40; i++) {
      await new Promise(resolve => setImmediate(resolve))
      yield { type: 'text', text: 'x'.repeat(1000) }
    }
    yield { type: 'finish', reason: 'stop' }
  },
}

/**
 * One server with many conversations and sockets. Blocks of turns without and with sockets that never read alternate, so
 * that whatever else the machine does counts for both.
 */
export async function runLoad(load: Load): Promise<Figures> {
  const store = memoryStore()
  const agent = createAgent({ model: talkative, store })
  const server = await createServer({ agent, store, token: 'secret', bufferLimit, stallMs })
  try {
    return await measure(server, load)
  } finally {
    await server.close()
    await store.close()
  }
}

async function measure(server: Server, { conversations, healthy, stalled, turns, rounds }: Load): Promise<Figures> {
  const ids = await makeConversations(server, conversations)
  const clients = await join(server, healthy)
  await Promise.all(clients.map((client, i) => client.ask({ type: 'subscribe', conversationId: ids[i], after: 0 })))
  // Warm: the first turns do not count.
  await Promise.all(clients.map((client, i) => talk(client, ids[i] ?? '', 2)))
  const without: Block[] = []
  const withStalled: Block[] = []
  for (let round = 0; round < rounds; round++) {
    without.push(await block(server, clients, ids, turns, 0))
    withStalled.push(await block(server, clients, ids, turns, stalled))
  }
  const contiguous = clients.every(({ events }) => events.every(({ seq }, i) => seq === i + 1))
  for (const client of clients) client.socket.terminate()
  return { without, withStalled, contiguous }
}

async function block(
  server: Server,
  healthy: readonly SocketClient[],
  ids: readonly string[],
  turns: number,
  stalled: number,
): Promise<Block> {
  const lame = await join(server, stalled)
  // One that does not read follows a hundred conversations, so that much is kept for it.
  for (const client of lame) {
    for (const conversationId of ids.slice(0, 100)) {
      const { seq } = await client.ask({ type: 'subscribe', conversationId, after: Number.MAX_SAFE_INTEGER })
      if (seq === undefined) throw new Error('It was not subscribed.')
    }
    client.socket.pause()
  }
  const before = used()
  const cpu = process.cpuUsage()
  const times = (await Promise.all(healthy.map((client, i) => talk(client, ids[i] ?? '', turns)))).flat()
  const { user, system } = process.cpuUsage(cpu)
  const grown = used() - before
  // More is told past those that do not read until each was cut off: it knows when it reads again.
  const since = performance.now()
  while (stalled && performance.now() - since < 3 * stallMs) await talk(healthy[0] as SocketClient, ids[0] ?? '', 1)
  for (const client of lame) client.socket.resume()
  const codes = await Promise.all(lame.map(closedSoon))
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? 0
  // One that has not read its 4008 for ten seconds is terminated, which its client knows as 1006.
  const cutOff = codes.filter(code => code === 4008 || code === 1006).length
  return { p50: quantile(0.5), p99: quantile(0.99), worked: (user + system) / 1000, grown, cutOff }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const used = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

async function makeConversations(server: Server, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const response = await fetch(`${server.url}/api/conversations`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: '{}',
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  return ids
}

const join = (server: Server, count: number): Promise<SocketClient[]> =>
  Promise.all(Array.from({ length: count }, () => SocketClient.open(server.url, 'secret')))

/** Sends one turn after the other; how long each took until its end was heard. */
async function talk(client: SocketClient, conversationId: string, turns: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < turns; i++) {
    const start = performance.now()
    const { turnId } = await client.ask({ type: 'send', conversationId, text: `turn ${i}` })
    await client.until(frame => frame.type === 'turn.completed' && frame.turnId === turnId)
    times.push(performance.now() - start)
    client.forgetBodies()
  }
  return times
}

function closedSoon({ closed }: SocketClient): Promise<number | undefined> {
  return Promise.race([closed, new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), 20_000).unref())])
}
