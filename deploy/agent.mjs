// The agent of the cluster. Servers and workers both make it, and it has to be the same: put your model, tools and middleware here.
import { createAgent } from 'turnbuckle'
import { postgresStore } from 'turnbuckle/stores'

const { DATABASE_URL, TURNBUCKLE_MODEL = 'offline' } = process.env
if (!DATABASE_URL) throw new Error('DATABASE_URL is missing: postgres://user:password@host/database')

export const store = postgresStore(DATABASE_URL)
export const agent = createAgent({ model: TURNBUCKLE_MODEL, store })
