import { tool } from 'turnbuckle'
import type { SettingsChange, WireMcpServer, WireSettings } from 'turnbuckle/client'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { callOf, serve } from '../../../test/serve.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'

const told: WireSettings = {
  file: '/home/me/config.json',
  settings: { model: { value: 'offline', from: 'default' } },
  env: { OPENAI_API_KEY: { set: true, from: 'environment', fixed: true } },
  providers: [{ name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' }],
  middleware: [],
  middlewareNames: ['step-limit'],
  permissions: { user: { deny: ['shell(rm *)'] }, project: {}, harmless: ['read_file'] },
  mcpServers: { files: { command: 'npx', args: ['x'], env: ['FILES_KEY'] } },
}
const mcp: WireMcpServer = {
  name: 'files',
  from: 'user',
  state: 'ready',
  trusted: true,
  does: 'runs: npx x',
  tools: [],
}
const failed: WireMcpServer = {
  ...mcp,
  name: 'far',
  state: 'failed',
  error: '"far" could not be reached: https://me:secret@far.example?key=secret',
}

function settingsOf(changes: SettingsChange[] = [], trusted: string[] = []): ServerSettings {
  return {
    read: async () => told,
    change: async change => void changes.push(change),
    testProvider: async (name, trial) => ({ works: trial.key === 'good', model: `${name}/x` }),
    permissionOf: name => ({ decision: name === 'add' ? 'allow' : 'ask', rules: [] }),
    mcpServers: () => [mcp, failed],
    untrusted: async () => [
      { kind: 'hook', name: './a.ts', does: 'hooks', hash: 'h', text: 'new', trustedText: 'old' },
    ],
    trust: async ({ name }, by) => void trusted.push(`${name} ${by}`),
    trusted: () => [
      { id: '2001-01-01T00:00:00.000Z-a', at: 978_307_200_000, by: 'me', act: 'trusted', what: 'hook ./a.ts' },
    ],
  }
}

const add = tool({ name: 'add', description: 'Adds', schema: { type: 'object' }, run: () => 3 })

test('tools have their schema and permission, MCP servers their state; only owners are told the command and what failed', async () => {
  const server = await serve(
    { model: scriptedModel([]), tools: [add] },
    { token: undefined, tokens: 'ann:a:owner,bob:b:member,eve:e:viewer', settings: settingsOf() },
  )
  const [ann, bob, eve] = ['a', 'b', 'e'].map(token => callOf(server.url, token))
  expect((await bob?.('GET', '/api/tools'))?.body).toEqual({
    tools: [
      { name: 'add', description: 'Adds', schema: { type: 'object' }, permission: { decision: 'allow', rules: [] } },
    ],
  })
  expect((await ann?.('GET', '/api/mcp'))?.body.servers).toEqual([mcp, failed])
  const { does: _, ...withoutCommand } = mcp
  expect((await bob?.('GET', '/api/mcp'))?.body.servers).toEqual([
    withoutCommand,
    { ...withoutCommand, name: 'far', state: 'failed' },
  ])
  expect((await eve?.('GET', '/api/tools'))?.status).toBe(403)
})

test.each([
  ['GET', '/api/settings', undefined],
  ['PATCH', '/api/settings', { model: 'offline' }],
  ['POST', '/api/providers/openai/test', {}],
  ['GET', '/api/trust', undefined],
  ['POST', '/api/trust', { kind: 'hook', name: './a.ts', hash: 'h' }],
] as const)('%s %s is for owners', async (method, path, body) => {
  const server = await serve(
    { model: scriptedModel([]) },
    { token: undefined, tokens: 'ann:a:owner,bob:b:member,eve:e:viewer', settings: settingsOf() },
  )
  expect((await callOf(server.url, 'a')(method, path, body)).status).toBeLessThan(300)
  for (const token of ['b', 'e'])
    expect(await callOf(server.url, token)(method, path, body)).toMatchObject({
      status: 403,
      body: { error: { code: 'role.missing' } },
    })
})

test('a change is passed on and audited by the names of its settings, never their values', async () => {
  const changes: SettingsChange[] = []
  const server = await serve({ model: scriptedModel([]) }, { settings: settingsOf(changes) })
  const change = {
    model: null,
    params: { topP: 1 },
    env: { OPENAI_API_KEY: 'sk-secret' },
    permissions: { deny: ['shell(rm *)'], allow: null },
    mcpServers: { docs: { command: 'npx', args: ['docs'], env: { DOCS_KEY: 'sk-secret' } }, old: null },
    middleware: [{ use: 'step-limit', options: { max: 5 } }],
  }
  expect((await server.call('PATCH', '/api/settings', change)).body).toEqual(told)
  expect(changes).toEqual([change])
  for (const wrong of [{ stroe: 1 }, { permissions: { never: [] } }, { mcpServers: { 'a b': { command: 'x' } } }])
    expect(await server.call('PATCH', '/api/settings', wrong)).toMatchObject({ status: 400 })
  const { body } = await server.call('GET', '/api/audit')
  const nested = 'params.topP, permissions.allow, permissions.deny, mcpServers.docs, mcpServers.old'
  const what = `model, middleware, ${nested}, OPENAI_API_KEY`
  expect(body.entries[0]).toMatchObject({ by: 'me', act: 'configured', what })
  expect(JSON.stringify(body)).not.toContain('sk-secret')
})

test('a provider is tried, content is trusted as the person of the token, and the audit list has what was trusted', async () => {
  const trusted: string[] = []
  const server = await serve({ model: scriptedModel([]) }, { settings: settingsOf([], trusted) })
  expect((await server.call('POST', '/api/providers/openai/test', { key: 'good' })).body).toEqual({
    works: true,
    model: 'openai/x',
  })
  const [item] = (await server.call('GET', '/api/trust')).body.items
  expect(item).toMatchObject({ text: 'new', trustedText: 'old' })
  const { kind, name, hash } = item
  expect((await server.call('POST', '/api/trust', { kind, name, hash })).status).toBe(204)
  expect(trusted).toEqual(['./a.ts me'])
  await server.call('PATCH', '/api/settings', { model: null })
  const acts = async (query: string) =>
    (await server.call('GET', `/api/audit${query}`)).body.entries.map(({ act }: { act: string }) => act)
  expect(await acts('')).toEqual(['configured', 'trusted'])
  expect(await acts('?limit=1')).toEqual(['configured'])
  expect(await acts('?before=2001-01-01T00:00:00.000Z-a')).toEqual([])
})

test('without settings the calls about them are 404, and the only model is the agent’s', async () => {
  const model = scriptedModel([])
  const server = await serve({ model, tools: [add] })
  expect(await server.call('GET', '/api/settings')).toMatchObject({
    status: 404,
    body: { error: { code: 'settings.missing' } },
  })
  expect((await server.call('GET', '/api/trust')).body).toEqual({ items: [] })
  expect((await server.call('GET', '/api/mcp')).body).toEqual({ servers: [] })
  expect((await server.call('GET', '/api/tools')).body.tools[0].permission).toBeUndefined()
  expect((await server.call('GET', '/api/models')).body).toEqual({ default: model.id, models: [{ id: model.id }] })
})
