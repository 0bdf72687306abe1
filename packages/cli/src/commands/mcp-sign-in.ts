import { connectMcp, type McpSignInPrompt } from 'turnbuckle/mcp'
import { type ConfiguredMcpServer, readMcpServers } from '../compose/connect-mcp-servers.ts'
import { mcpCredentialFile } from '../compose/mcp-credential-file.ts'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { McpEntry } from '../settings/settings.ts'
import { printLine } from '../text/print.ts'
import { visibleValue } from '../text/visible-value.ts'

type RemoteServer = ConfiguredMcpServer & { readonly entry: Extract<McpEntry, { readonly url: string }> }

/** `turnbuckle mcp login NAME`: signs in to a server of the settings, and keeps the tokens in the user's folder. */
export async function signInToMcpServer(name: string | undefined, useDevice: boolean): Promise<number> {
  const { home, server } = await findServer(name, 'login')
  const { entry } = server
  const oauth = { ...entry.oauth, ...(useDevice ? { flow: 'device' as const } : {}) }
  const signIn = { store: mcpCredentialFile(home), show }
  const mcp = await connectMcp({ [server.name]: { ...entry, oauth } }, { signIn })
  const [state] = mcp.servers
  await mcp.close()
  if (state?.status !== 'ready') throw new UserError(state?.error ?? `"${server.name}" could not be reached.`, 1)
  printLine(`Signed in to ${server.name}. Its tools are there at the next start.`)
  return 0
}

/** `turnbuckle mcp logout NAME`: forgets the tokens. */
export async function signOutOfMcpServer(name: string | undefined): Promise<number> {
  const { home, server } = await findServer(name, 'logout')
  await mcpCredentialFile(home).set(new URL(server.entry.url).href, undefined)
  printLine(`Signed out of ${server.name}: its tokens are forgotten here.`)
  return 0
}

function show({ server, url, code }: McpSignInPrompt): void {
  const where = visibleValue(url)
  printLine(`Sign in to ${visibleValue(server)}: open ${where}`)
  if (code !== undefined) printLine(`and type this code there: ${visibleValue(code)}`)
  printLine('Waiting …')
}

async function findServer(name: string | undefined, word: string): Promise<{ home: string; server: RemoteServer }> {
  const loaded = await loadSettings()
  const remote = readMcpServers(loaded).filter((server): server is RemoteServer => 'url' in server.entry)
  const names = remote.map(server => server.name)
  if (name === undefined)
    throw new UserError(
      `Which one? turnbuckle mcp ${word} NAME. Servers with an address: ${names.join(', ') || 'none'}.`,
    )
  const server = remote.findLast(server => server.name === name)
  if (!server) throw new UserError(`There is no MCP server "${name}" with an address. ${suggestNearest(name, names)}`)
  if (server.item && !loaded.trust.has(loaded.root, server.item))
    throw new UserError(`"${name}" is the project's and not trusted yet: turnbuckle hooks trust.`)
  return { home: loaded.home, server }
}
