/** A server in a process of its own: `node serve.mjs KIND FOLDER [DATABASE]`. Tells its parent the address, and counts when asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { servers } from './servers.mjs'

const [kind, folder, database] = process.argv.slice(2)
const server = await servers[kind](folder, database)
const delay = monitorEventLoopDelay({ resolution: 1 })
let before
const answers = {
  begin() {
    before = process.cpuUsage()
    delay.enable()
    delay.reset()
    return {}
  },
  end() {
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, delayMs: delay.percentile(99) / 1e6 }
  },
  memory() {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return { memory: heapUsed + external }
  },
  async close() {
    await server.close()
    setImmediate(() => process.exit(0))
    return {}
  },
}
process.on('message', async message => process.send(await answers[message]()))
process.send({ url: server.url, token: server.token })
