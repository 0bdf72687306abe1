import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createServer, type Permissions, storedPermissions } from '@turnbuckle/server'
import type { PermissionStore } from 'turnbuckle/middleware'
import { askTrustOnTerminal, canAskOnTerminal } from '../command-line/ask-trust-on-terminal.ts'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { UserError } from '../errors/user-error.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { printLine, printNote } from '../text/print.ts'

export const serveCommand: CommandFunction = async ({ values }) => {
  const port = Number(values.port ?? process.env.PORT ?? 4270)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UserError(`--port ${values.port ?? process.env.PORT}: a number up to 65535 is expected.`)
  const host = (values.host as string | undefined) ?? '127.0.0.1'
  const hosts = (process.env.TURNBUCKLE_HOSTS ?? '').split(',').flatMap(name => name.trim() || [])
  const ask = canAskOnTerminal() ? askTrustOnTerminal : undefined
  // With several tokens each person has permissions of their own; with one they are the user's, as in the chat.
  const several = Boolean(process.env.TURNBUCKLE_TOKENS)
  const { agent, store, permissions, notices, close } = await composeAgent(await loadSettings({ ask }), {
    ask,
    model: values.model as string | undefined,
    isServed: true,
    standing: several ? kept => storedPermissions(kept).storeFor : undefined,
  })
  const everywhere = host === '0.0.0.0' || host === '::'
  for (const notice of everywhere && !hosts.length ? [...notices, onlyHere] : notices) printNote(notice)
  const server = await createServer({
    agent,
    store,
    permissions: several ? storedPermissions(store) : ofTheUser(permissions),
    port,
    host,
    hosts,
    origin: process.env.TURNBUCKLE_ORIGIN || undefined,
    token: process.env.TURNBUCKLE_TOKEN,
    tokens: process.env.TURNBUCKLE_TOKENS,
    web: webFolder(),
    onError: error => printNote(error instanceof Error ? error.message : String(error)),
  }).catch(async error => {
    await close()
    throw new UserError(listening(error as NodeJS.ErrnoException, port), 1)
  })
  // Signal handlers are set before the ready line: a script may end the server as soon as it reads that.
  const ended = toldToEnd()
  printLine(`Turnbuckle is ready at ${server.url}/#token=${server.token}`)
  await ended
  await server.close()
  await close()
  return 0
}

const onlyHere =
  'It listens everywhere, but answers to localhost alone. Names that others call this machine by: TURNBUCKLE_HOSTS=box.local,192.168.1.7'

const ofTheUser = (permissions: PermissionStore): Permissions => ({
  list: async () => (await permissions.list()).map(grant => ({ ...grant })),
  revoke: (_person, id) => permissions.revoke(id),
})

function listening({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Another one: turnbuckle serve --port 0`
  return message
}

/** Resolves at the first SIGINT or SIGTERM; the second ends the process at once. */
function toldToEnd(): Promise<void> {
  return new Promise(resolve => {
    let told = false
    const end = () => {
      if (told) process.exit(130)
      told = true
      resolve()
    }
    process.on('SIGINT', end)
    process.on('SIGTERM', end)
  })
}

/** The built web app, where it is installed. */
function webFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@turnbuckle/web/package.json')), 'dist')
  } catch {
    return undefined
  }
}
