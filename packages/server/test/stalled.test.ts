import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { serve } from './serve.ts'
import { isOver, type SocketClient } from './socket-client.ts'

// `npm run test:load` runs it at full size: 640 MB are sent past twenty sockets that have stalled.
const full = process.env.TURNBUCKLE_LOAD === 'full'
const sockets = full ? 20 : 3
/** Megabytes that each is told: more than the buffers of the system's own take. */
const megabytes = full ? 32 : 20
const bufferLimit = full ? 1024 * 1024 : 128 * 1024
/** Megabytes that the stalled sockets may cost while they wait for their end. */
const mostWaiting = full ? 50 : 10
/** Megabytes by which a heap differs from one collection to the next. */
const noise = 8

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function used(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** Tells as fast as its reader reads: the one that has not stalled is never too slow, also on a busy machine. */
const flood = (readerOf: () => SocketClient) =>
  tool({
    name: 'flood',
    async run(_, ctx) {
      for (let i = 0; i < megabytes * 50; i++) {
        const text = `${i} `.padEnd(20_000, 'x')
        ctx.emit({ type: 'tool.progress', callId: ctx.call.id, text })
        if (i % 3 === 0) await readerOf().until(frame => frame.type === 'tool.progress' && frame.text === text)
      }
      return 'done'
    },
  })

/** Runs a turn that tells many megabytes; by how many the memory has grown. */
async function growth(id: string, reader: SocketClient): Promise<number> {
  const before = used()
  const { turnId } = await reader.ask({ type: 'send', conversationId: id, text: 'go' })
  await reader.until(frame => isOver(frame) && frame.turnId === turnId)
  reader.forgetBodies()
  return used() - before
}

test('sockets that have stalled cost little while they wait for their end, are gone ten seconds later, and cost nothing then', async () => {
  const model = scriptedModel(Array.from({ length: 6 }, (_, i) => (i % 2 ? 'ok' : { calls: [{ name: 'flood' }] })))
  const server = await serve({ model, tools: [flood(() => reader)] }, { bufferLimit })
  const id = await server.newConversation()
  const reader: SocketClient = await server.follow(id)
  await growth(id, reader)
  const alone = await growth(id, reader)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const stalled = await Promise.all(
      Array.from({ length: sockets }, () => server.follow(id, reader.events.at(-1)?.seq)),
    )
    for (const { socket } of stalled) socket.pause()
    const before = used()
    const beside = await growth(id, reader)
    console.info(`alone ${alone.toFixed(1)} MB, beside ${sockets} stalled ones ${beside.toFixed(1)} MB`)
    expect(beside - alone).toBeLessThan(mostWaiting)
    // They have taken nothing for so long; ten seconds after they were told so with 4008 they are gone.
    vi.advanceTimersByTime(30_000)
    vi.advanceTimersByTime(10_000)
    // A socket that was terminated has no close frame for its reader.
    for (const { socket } of stalled) socket.resume()
    expect(await Promise.all(stalled.map(({ closed }) => closed))).toEqual(stalled.map(() => 1006))
    for (const client of stalled) client.frames = []
    const rest = used() - before - alone
    console.info(`after their end ${rest.toFixed(1)} MB`)
    expect(rest).toBeLessThan(noise)
  } finally {
    vi.useRealTimers()
  }
}, 600_000)
