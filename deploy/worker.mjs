// A worker of the cluster: Restate calls it, and it works on turns. On SIGTERM it leaves them to the other workers.
import { restateWorker } from '@turnbuckle/restate'
import { agent, store } from './agent.mjs'

const { PORT = '9080', HOST = '127.0.0.1', RESTATE_IDENTITY_KEYS = '' } = process.env
const worker = restateWorker({
  agent,
  store,
  identityKeys: RESTATE_IDENTITY_KEYS.split(',').filter(Boolean),
  report: message => console.error(message),
})
console.log(`A worker listens on port ${await worker.listen(Number(PORT), HOST)}`)

process.once('SIGTERM', async () => {
  await worker.close()
  await store.close()
  process.exit(0)
})
