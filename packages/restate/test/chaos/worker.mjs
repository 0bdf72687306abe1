// A worker of the chaos run: node worker.mjs SETTINGS
import { restateWorker } from '@turnbuckle/restate'
import { chaosAgent } from './agent.mjs'
import { tellHeap } from './tell-heap.mjs'

const settings = JSON.parse(process.argv[2] ?? '')
process.on('uncaughtException', error => console.error('UNHANDLED', error))
process.on('unhandledRejection', error => console.error('UNHANDLED', error))

async function begin() {
  const { agent, store } = chaosAgent(settings)
  const worker = restateWorker({ agent, store, ingress: settings.ingress, parkAfterMs: 300 })
  await worker.listen(settings.port)
}

try {
  await begin()
  tellHeap()
  process.send?.('ready')
} catch (error) {
  console.error(error)
  process.exit(1)
}
