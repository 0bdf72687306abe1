// A worker of the cluster: Restate calls it, and it works on turns. On SIGTERM it leaves them to the other workers.
import { restateWorker } from '@turnbuckle/restate'
import { agent, store } from './agent.mjs'

const { RESTATE_INGRESS, PORT = '9080', HOST = '127.0.0.1', RESTATE_IDENTITY_KEYS = '' } = process.env
// Sub-agents are invocations of their own, which workers start.
if (!RESTATE_INGRESS) throw new Error('RESTATE_INGRESS is missing: http://restate:8080')
const worker = restateWorker({
  agent,
  store,
  ingress: RESTATE_INGRESS,
  identityKeys: RESTATE_IDENTITY_KEYS.split(',').filter(Boolean),
  report: message => console.error(message),
})
console.log(`A worker listens on port ${await worker.listen(Number(PORT), HOST)}`)

process.once('SIGTERM', async () => {
  await worker.close()
  await store.close()
  process.exit(0)
})
