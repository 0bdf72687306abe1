import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { sqliteStore } from 'turnbuckle/stores'
import { createServer } from './create-server.ts'
import { defaultAgent } from './default-agent.ts'

/** `turnbuckle serve [--port P] [--host H]`: the server and the web app, until it is told to end. */
export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' }, host: { type: 'string' } } })
  const port = Number(values.port ?? process.env.PORT ?? 4270)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port}: a number up to 65535 is expected.`)
  const root = process.cwd()
  const store = sqliteStore(join(root, '.turnbuckle/conversations.db'))
  const server = await createServer({
    ...(await defaultAgent({ root, store })),
    store,
    port,
    host: values.host ?? '127.0.0.1',
    token: process.env.TURNBUCKLE_TOKEN,
    tokens: process.env.TURNBUCKLE_TOKENS,
    web: webFolder(),
    onError: error => console.error(error instanceof Error ? error.message : error),
  })
  console.log(`Turnbuckle is ready at ${server.url}/#token=${server.token}`)
  let closing = false
  const close = () => {
    if (closing) process.exit(130)
    closing = true
    // Turns that run are left as they are: the log has them, and the next start goes on with them.
    void server
      .close()
      .then(() => store.close())
      .finally(() => process.exit(0))
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
}

/** The built web app, where it is installed. */
function webFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@turnbuckle/web/package.json')), 'dist')
  } catch {
    return undefined
  }
}
