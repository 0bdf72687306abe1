import { expect, test } from 'vitest'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { McpEntry } from '../settings/settings.ts'
import { readMcpServers, unreachedServers } from './connect-mcp-servers.ts'

const read = (user: Record<string, McpEntry>, project: Record<string, McpEntry>) =>
  readMcpServers({
    root: '/p',
    user: { mcpServers: user },
    project: { mcpServers: project },
  } as unknown as LoadedSettings)

test("the user's servers need no trust; a project's do, and run in its folder", () => {
  const servers = read({ mine: { command: 'a' } }, { theirs: { command: 'b', args: ['c'] }, far: { url: 'https://x' } })
  expect(servers).toMatchObject([
    { name: 'mine', entry: { command: 'a' } },
    { name: 'theirs', entry: { command: 'b', cwd: '/p' }, item: { name: 'mcp:theirs', does: 'runs: b c' } },
    { name: 'far', entry: { url: 'https://x' }, item: { does: 'connects to https://x' } },
  ])
  expect(servers[0]).not.toHaveProperty('item')
})

test('another command has another hash', () => {
  const hash = (command: string) => read({}, { it: { command } })[0]?.item?.hash
  expect(hash('a')).not.toBe(hash('b'))
})

test('only servers that are not ready are told', () => {
  const servers = [
    { name: 'a', status: 'ready' },
    { name: 'b', status: 'failed', error: 'no' },
  ] as unknown as Parameters<typeof unreachedServers>[0]
  expect(unreachedServers(servers)).toEqual(['The MCP server "b" could not be reached: no'])
})
