// A server of the cluster: HTTP, WebSocket and the web app. Its turns run on the workers.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { restateRunner } from '@turnbuckle/restate'
import { createServer } from '@turnbuckle/server'
import { agent, permissions, store } from './agent.mjs'

const { RESTATE_INGRESS, PORT = '4270', HOST = '127.0.0.1', TURNBUCKLE_HOSTS = '' } = process.env
const { TURNBUCKLE_TOKEN, TURNBUCKLE_TOKENS, TURNBUCKLE_ORIGIN } = process.env
if (!RESTATE_INGRESS) throw new Error('RESTATE_INGRESS is missing: http://restate:8080')
// Each server would make up a token of its own, and know only that.
if (!TURNBUCKLE_TOKEN && !TURNBUCKLE_TOKENS)
  throw new Error('TURNBUCKLE_TOKEN or TURNBUCKLE_TOKENS is missing: all servers need the same.')

const web = fileURLToPath(new URL('../packages/web/dist', import.meta.url))
const server = await createServer({
  agent,
  store,
  permissions,
  runner: restateRunner({ ingress: RESTATE_INGRESS }),
  host: HOST,
  port: Number(PORT),
  hosts: TURNBUCKLE_HOSTS.split(',').filter(Boolean),
  origin: TURNBUCKLE_ORIGIN,
  token: TURNBUCKLE_TOKEN,
  tokens: TURNBUCKLE_TOKENS,
  web: existsSync(web) ? web : undefined,
  onError: error => console.error(error),
})
console.log(`A server listens on ${server.url}`)

process.once('SIGTERM', async () => {
  await server.close()
  await store.close()
  process.exit(0)
})
