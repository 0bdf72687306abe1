import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TurnbuckleError } from '../core/base/errors.ts'
import { isRecord } from './hook-handler.ts'

/** An MCP server of `.mcp.json`, as `connectMcp` takes it. */
export type ClaudeMcpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** The servers of a project's `.mcp.json`, as they are written: variables are not filled in. Throws `mcp.file` where it cannot be read. */
export function claudeMcpServers(root: string = process.cwd()): Readonly<Record<string, ClaudeMcpServer>> {
  const file = join(root, '.mcp.json')
  if (!existsSync(file)) return {}
  const listed = readServers(file)
  return Object.fromEntries(
    Object.entries(listed).flatMap(([name, entry]) => {
      const { command, args, env, url, headers } = isRecord(entry) ? entry : {}
      if (typeof command === 'string') return [[name, present({ command, args, env })]]
      return typeof url === 'string' ? [[name, present({ url, headers })]] : []
    }),
  )
}

function readServers(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRecord(value) && isRecord(value.mcpServers) ? value.mcpServers : {}
  } catch (error) {
    throw new TurnbuckleError('mcp.file', `.mcp.json cannot be read: ${(error as Error).message}`)
  }
}

const present = (server: Readonly<Record<string, unknown>>): ClaudeMcpServer =>
  Object.fromEntries(Object.entries(server).filter(([, value]) => value !== undefined)) as unknown as ClaudeMcpServer

/** The server with its variables: `${NAME}`, `${NAME:-default}`. Throws `mcp.variable` for one that is not set and has no default. */
export function fillMcpVariables<Server extends ClaudeMcpServer>(
  server: Server,
  env: NodeJS.ProcessEnv = process.env,
): Server {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
        const found = env[name] ?? otherwise
        if (found === undefined)
          throw new TurnbuckleError('mcp.variable', `.mcp.json names \${${name}}, which is not set in the environment.`)
        return found
      })
    if (Array.isArray(value)) return value.map(fill)
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)])) : value
  }
  return fill(server) as Server
}
