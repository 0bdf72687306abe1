// The server of a soak, in a process of its own: `node --expose-gc server.mjs DATABASE`. Tells its parent the address, and what it holds when asked.
import { createAgent } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'

// Built by whoever starts the soak; a fresh clone does not have it yet.
const { createServer } = await import(new URL('../../dist/index.js', import.meta.url).href)

/** Ten deltas of a thousand characters, twenty milliseconds apart. */
const talkative = {
  id: 'talkative',
  async *stream() {
    for (let i = 0; i < 10; i++) {
      await new Promise(resolve => setTimeout(resolve, 20))
      yield { type: 'text', text: 'x'.repeat(1000) }
    }
    yield { type: 'finish', reason: 'stop' }
  },
}

const store = sqliteStore(process.argv[2])
const agent = createAgent({ model: talkative, store })
const server = await createServer({ agent, store, token: 'secret', bufferLimit: 64 * 1024 })

/** Megabytes, open handles, and the listeners on them and on the process. */
function measure() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const emitters = [process, ...process._getActiveHandles()].filter(each => typeof each.eventNames === 'function')
  const listeners = emitters.reduce(
    (sum, emitter) => sum + emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0),
    0,
  )
  return { memory: (heapUsed + external) / 1e6, handles: process.getActiveResourcesInfo().length, listeners }
}

process.on('message', async message => {
  if (message === 'measure') return process.send(measure())
  await server.close()
  await agent.close()
  await store.close()
  process.exit(0)
})
process.send({ url: server.url })
