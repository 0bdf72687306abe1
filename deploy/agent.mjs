// The agent of the cluster. Servers and workers both make it, and it has to be the same: put your model, tools and middleware here.
import { storedPermissions } from '@turnbuckle/server'
import { createAgent, offlineTools } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { postgresStore } from 'turnbuckle/stores'

const { DATABASE_URL, TURNBUCKLE_MODEL = 'offline' } = process.env
if (!DATABASE_URL) throw new Error('DATABASE_URL is missing: postgres://user:password@host/database')

export const store = postgresStore(DATABASE_URL)
/** What people have allowed for longer than once: all workers know it. */
export const permissions = storedPermissions(store)
export const agent = createAgent({
  model: TURNBUCKLE_MODEL,
  store,
  use: [
    // Without a key there is something to try: "wait 30 seconds" is asked about, and works while you kill its worker.
    offlineTools({ onlyOffline: true }),
    approval({ store: permissions.storeFor, allow: ['calculate', 'ask', 'fail'] }),
  ],
})
