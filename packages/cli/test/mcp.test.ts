import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from './run-program.ts'
import { Place, program } from './terminal.ts'

let place: Place
let client: Client | undefined
beforeEach(() => {
  place = new Place()
})
afterEach(async () => {
  await client?.close()
  client = undefined
  place[Symbol.dispose]()
})

const require = createRequire(import.meta.url)
const everything = {
  command: process.execPath,
  args: [
    join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js'),
    'stdio',
  ],
}

type Mode = 'legacy' | { readonly pin: string }

/** A client of `turnbuckle mcp`. */
async function connect(args: readonly string[] = [], mode: Mode = 'legacy'): Promise<Client> {
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const command = { command: process.execPath, args: [program, 'mcp', ...args], cwd: place.project, env: place.env }
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }))
  return client
}
const said = (result: unknown): string => JSON.stringify((result as { content: unknown }).content)

describe('turnbuckle mcp', () => {
  test.each<{ revision: string; mode: Mode }>([
    { revision: '2025-11-25', mode: 'legacy' },
    { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
  ])("serves the agent's tools; what would be asked is denied ($revision)", async ({ revision, mode }) => {
    place.put('notes.txt', 'buy bread')
    const connected = await connect([], mode)
    expect(connected.getNegotiatedProtocolVersion()).toBe(revision)
    const { callTool, listTools } = bound(connected)
    expect((await listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'shell']),
    )
    expect(said(await callTool({ name: 'read_file', arguments: { path: 'notes.txt' } }))).toContain('buy bread')
    const denied = await callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } })
    expect(denied.isError).toBe(true)
    expect(said(denied)).toContain('cannot ask its person')
    expect((await listTools()).tools.map(({ name }) => name)).toContain('read_file')
    expect(said(await callTool({ name: 'list_files', arguments: {} }))).not.toContain('a.txt')
  })

  test('with --yes allows it; tools of MCP servers in the settings are there, one that is broken does no harm', async () => {
    const broken = { command: join(place.project, 'nothing') }
    place.putHome('config.json', JSON.stringify({ mcpServers: { everything, broken } }))
    const { callTool, listTools } = bound(await connect(['--yes']))
    const names = (await listTools()).tools.map(({ name }) => name)
    const echo = names.find(name => /everything.*echo/.test(name)) ?? ''
    expect(said(await callTool({ name: echo, arguments: { message: 'hello there' } }))).toContain('hello there')
    const written = await callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } })
    expect(written.isError).toBeFalsy()
  })
})

const bound = (of: Client) => ({ callTool: of.callTool.bind(of), listTools: of.listTools.bind(of) })

describe('an MCP server', () => {
  test('of a project is not started before it is trusted', async () => {
    place.put('turnbuckle.config.json', JSON.stringify({ mcpServers: { everything } }))
    const { err, code } = await run(place, ['run', 'what is 1+1'])
    expect(err).toContain('Not trusted, so not used: mcp:everything')
    expect(code).toBe(0)
    expect((await run(place, ['hooks', 'trust', '--yes'])).out).toMatch(/mcp:everything {2}runs: .*node/)
    expect((await run(place, ['run', 'what is 1+1'])).err).not.toContain('Not trusted')
  })

  test('that cannot be reached is named, and the turn goes on', async () => {
    place.putHome('config.json', JSON.stringify({ mcpServers: { gone: { command: join(place.project, 'nothing') } } }))
    const { err, out, code } = await run(place, ['run', 'what is 1+1'])
    expect(err).toContain('The MCP server "gone" could not be reached')
    expect(out).toContain('1+1 is 2.')
    expect(code).toBe(0)
  })
})
