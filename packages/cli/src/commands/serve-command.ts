import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createServer, storedPermissions } from '@turnbuckle/server'
import { askTrustOnTerminal, canAskOnTerminal } from '../command-line/ask-trust-on-terminal.ts'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { noteComposed } from '../compose/note-composed.ts'
import { permissionFile } from '../compose/permissions/permission-file.ts'
import { UserError } from '../errors/user-error.ts'
import { ServedModels } from '../served/served-models.ts'
import { ServedSettings } from '../served/served-settings.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { printLine, printNote } from '../text/print.ts'

export const serveCommand: CommandFunction = async ({ values }) => {
  const port = portOf(values.port)
  const host = (values.host as string | undefined) ?? '127.0.0.1'
  const hosts = (process.env.TURNBUCKLE_HOSTS ?? '').split(',').flatMap(name => name.trim() || [])
  const ask = canAskOnTerminal() ? askTrustOnTerminal : undefined
  const loaded = await loadSettings({ ask })
  const people = Object.entries(loaded.user.people ?? {}).map(([name, person]) => ({ name, ...person }))
  // With several tokens each person has permissions of their own; with one, that person's are the user's, as in the chat.
  const several = Boolean(process.env.TURNBUCKLE_TOKENS) || people.length > 0
  const own = several ? undefined : permissionFile(loaded.home)
  const model = values.model as string | undefined
  const composed = await composeAgent(loaded, {
    ask,
    model,
    isServed: true,
    standing: kept => storedPermissions(kept, own).storeFor,
  })
  const { agent, store, close } = composed
  const models = new ServedModels()
  const everywhere = host === '0.0.0.0' || host === '::'
  noteComposed(composed)
  if (everywhere && !hosts.length) printNote(onlyHere)
  const server = await createServer({
    agent,
    store,
    permissions: storedPermissions(store, own),
    models,
    settings: new ServedSettings({ composed, models, flags: { model } }),
    port,
    host,
    hosts,
    origin: process.env.TURNBUCKLE_ORIGIN || undefined,
    token: process.env.TURNBUCKLE_TOKEN,
    tokens: process.env.TURNBUCKLE_TOKENS,
    people,
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

function portOf(given: string | boolean | undefined): number {
  const text = given ?? process.env.PORT ?? 4270
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new UserError(`--port ${text}: a number up to 65535 is expected.`)
}

const onlyHere =
  'It listens everywhere, but answers to localhost alone. Names that others call this machine by: TURNBUCKLE_HOSTS=box.local,192.168.1.7'

function listening({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Another one: turnbuckle serve --port 0`
  return message
}

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP; the second ends the process at once. Without a handler SIGHUP would leave the
 * commands of tools behind.
 */
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
    process.on('SIGHUP', end)
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
