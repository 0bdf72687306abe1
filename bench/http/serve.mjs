// A server of its own process: node serve.mjs KIND, which says its address to its parent and counts when asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { servers } from './servers.mjs'

const [kind, folder] = process.argv.slice(2)
const server = await servers[kind](folder)
const delay = monitorEventLoopDelay({ resolution: 1 })
let cpu
process.on('message', async message => {
  if (message === 'begin') {
    cpu = process.cpuUsage()
    delay.enable()
    delay.reset()
    process.send({})
  }
  if (message === 'end') {
    const { user, system } = process.cpuUsage(cpu)
    process.send({ cpuMs: (user + system) / 1000, delayMs: delay.percentile(99) / 1e6, rss: process.memoryUsage().rss })
  }
  if (message === 'close') {
    await server.close()
    process.disconnect()
    setTimeout(() => process.exit(0), 2000).unref()
  }
})
process.send({ url: server.url, token: server.token })
