// A worker of the chaos run: node worker.mjs SETTINGS
import { restateWorker } from '@turnbuckle/restate'
import { chaosAgent } from './agent.mjs'

const settings = JSON.parse(process.argv[2] ?? '')
process.on('uncaughtException', error => console.error(error))
process.on('unhandledRejection', error => console.error(error))
const { agent, store } = chaosAgent(settings)
const worker = restateWorker({ agent, store, parkAfterMs: 300 })
await worker.listen(settings.port)
process.send?.('ready')
