// A server of the chaos run: node server.mjs SETTINGS
import { restateRunner } from '@turnbuckle/restate'
import { createServer } from '@turnbuckle/server'
import { chaosAgent } from './agent.mjs'

const settings = JSON.parse(process.argv[2] ?? '')
process.on('uncaughtException', error => console.error(error))
process.on('unhandledRejection', error => console.error(error))
const { agent, store } = chaosAgent(settings)
const { port, token, ingress, hosts } = settings
await createServer({
  ...{ agent, store, port, token, hosts },
  takeOverMs: 2000,
  runner: restateRunner({ ingress }),
  onError: error => console.error(error),
})
process.send?.('ready')
