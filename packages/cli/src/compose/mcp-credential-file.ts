import { join } from 'node:path'
import type { McpCredentialStore } from 'turnbuckle/mcp'
import { readHomeFile, writeHomeFile } from '../settings/home-folder.ts'

/** Tokens of MCP servers by the server's address, in a file of the user's that nobody else can read. */
export function mcpCredentialFile(home: string): McpCredentialStore {
  const path = join(home, 'mcp-tokens.json')
  const all = () => readHomeFile<Readonly<Record<string, string>>>(path, {})
  return {
    get: url => all()[url],
    set(url, credentials) {
      const { [url]: _before, ...others } = all()
      writeHomeFile(path, credentials === undefined ? others : { ...others, [url]: credentials })
    },
  }
}
