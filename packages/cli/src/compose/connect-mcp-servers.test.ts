import type { Mcp } from 'turnbuckle/mcp'
import { expect, test } from 'vitest'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { McpEntry } from '../settings/settings.ts'
import { callConnected, ownersOf, readMcpServers, unreachedServers } from './connect-mcp-servers.ts'

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
    { name: 'c', status: 'failed', error: '"c" could not be reached: Request timed out' },
  ] as unknown as Parameters<typeof unreachedServers>[0]
  expect(unreachedServers(servers)).toEqual([
    'The MCP server "b" could not be reached: no',
    'The MCP server "c" could not be reached: Request timed out',
  ])
})

test.each([
  { name: "the user's hook, where both have the server", from: 'user', connected: ['project', 'user'], says: 'user' },
  { name: "the user's hook, where only the project has it", from: 'user', connected: ['project'], says: /project's/ },
  { name: "the user's hook, where nobody has it", from: 'user', connected: [], says: /not connected/ },
  { name: "a project's hook", from: 'project', connected: ['project'], says: 'project' },
  { name: "a project's hook, and the user's server", from: 'local', connected: ['user'], says: 'user' },
] as const)('who answers $name', async ({ from, connected, says }) => {
  const all = read({ guard: { command: 'a' } }, { guard: { command: 'b' } })
  const connections = connected.map(owner => ({
    mcp: { call: async () => owner } as unknown as Mcp,
    owners: ownersOf(all.filter(server => server.from === owner)),
  }))
  const signal = new AbortController().signal
  const answer = callConnected(connections)('guard', 'scan', {}, { signal, from })
  expect(await answer.catch(({ message }) => message)).toEqual(
    typeof says === 'string' ? says : expect.stringMatching(says),
  )
})

test("connected together, a project's server stands before the user's of its name", () => {
  const owners = ownersOf(read({ guard: { command: 'a' }, mine: { command: 'c' } }, { guard: { command: 'b' } }))
  expect([...owners]).toEqual([
    ['guard', 'project'],
    ['mine', 'user'],
  ])
})
