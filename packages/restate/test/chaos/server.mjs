// A server of the chaos run: node server.mjs SETTINGS
import { restateRunner } from '@turnbuckle/restate'
import { createServer } from '@turnbuckle/server'
import { chaosAgent } from './agent.mjs'
import { tellHeap } from './tell-heap.mjs'

const settings = JSON.parse(process.argv[2] ?? '')
process.on('uncaughtException', error => console.error('UNHANDLED', error))
process.on('unhandledRejection', error => console.error('UNHANDLED', error))

async function begin() {
  const { agent, store } = chaosAgent(settings)
  const { port, token, ingress, hosts } = settings
  await createServer({
    ...{ agent, store, port, token, hosts },
    takeOverMs: 2000,
    // Without an engine its turns run in its own process: what `measure.mjs` compares with.
    ...(ingress ? { runner: restateRunner({ ingress }) } : {}),
    onError: error => console.error(error),
  })
}

try {
  await begin()
  tellHeap()
  process.send?.('ready')
} catch (error) {
  console.error(error)
  process.exit(1)
}
