import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type ComposedAgent, composeAgent } from '../compose/compose-agent.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { ServedModels } from './served-models.ts'
import { ServedSettings } from './served-settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-served-'))
  for (const name of ['home', 'project']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value))
const userFile = () => JSON.parse(readFileSync(join(folder, 'home/config.json'), 'utf8'))

/** The settings of an agent in the test's folders. */
async function served(
  env: NodeJS.ProcessEnv = {},
  model?: string,
): Promise<{ settings: ServedSettings; composed: ComposedAgent }> {
  Object.assign(env, { TURNBUCKLE_HOME: join(folder, 'home'), OLLAMA_BASE_URL: 'http://127.0.0.1:9' })
  const loaded = await loadSettings({ cwd: join(folder, 'project'), env })
  const composed = await composeAgent(loaded, { isServed: true, model: model ?? 'offline' })
  onTestFinished(() => composed.close())
  const flags = model === undefined ? {} : { model }
  return { settings: new ServedSettings({ composed, models: new ServedModels(), flags, env }), composed }
}

test('each setting says where it comes from; what the project, a flag or the environment sets is fixed', async () => {
  put('home/config.json', {
    model: 'offline',
    params: { topP: 1 },
    instructions: 'Mine.',
    env: { OPENAI_API_KEY: 'sk-1' },
  })
  put('project/turnbuckle.config.json', { instructions: 'Ours.', params: { temperature: 0 } })
  const { settings } = await served({ ANTHROPIC_API_KEY: 'sk-2' }, 'offline')
  const told = await settings.read()
  expect(told.settings).toMatchObject({
    model: { value: 'offline', from: 'flag', place: '--model', fixed: true },
    instructions: { value: 'Ours.', from: 'project', place: 'turnbuckle.config.json:1', fixed: true },
    'params.temperature': { value: 0, from: 'project', fixed: true },
    'params.topP': { value: 1, from: 'user' },
    'params.reasoning': { from: 'default' },
    maxSteps: { value: 50, from: 'default' },
  })
  expect(told.env).toMatchObject({
    ANTHROPIC_API_KEY: { set: true, from: 'environment', fixed: true },
    ANTHROPIC_BASE_URL: { set: false, from: 'environment', place: 'ANTHROPIC_API_KEY', fixed: true },
    OPENAI_API_KEY: { set: true, from: 'user' },
    GOOGLE_GENERATIVE_AI_API_KEY: { set: false, from: 'default' },
  })
  expect(JSON.stringify(told)).not.toContain('sk-')
})

test('a change is in the user’s file, for the user alone, and in force at once', async () => {
  put('home/config.json', { theme: 'light' })
  const env: NodeJS.ProcessEnv = {}
  const { settings, composed } = await served(env)
  await settings.change({
    instructions: 'Be brief.',
    params: { temperature: 0.5 },
    env: { COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1', COMPATIBLE_API_KEY: 'sk-3' },
    model: 'compatible/x',
  })
  expect(userFile()).toEqual({
    theme: 'light',
    model: 'compatible/x',
    instructions: 'Be brief.',
    params: { temperature: 0.5 },
    env: { COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1', COMPATIBLE_API_KEY: 'sk-3' },
  })
  expect(statSync(join(folder, 'home/config.json')).mode & 0o777).toBe(0o600)
  expect([composed.agent.model.id, composed.live]).toEqual([
    'compatible/x',
    expect.objectContaining({ instructions: 'Be brief.', params: { temperature: 0.5 } }),
  ])
  expect(env.COMPATIBLE_API_KEY).toBe('sk-3')
  await settings.change({
    model: null,
    instructions: null,
    params: { temperature: null },
    env: { COMPATIBLE_API_KEY: null },
  })
  expect(userFile()).toEqual({ theme: 'light', env: { COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' } })
  expect([composed.agent.model.id, env.COMPATIBLE_API_KEY]).toEqual(['offline', undefined])
})

test.each([
  { change: { instructions: 'x' }, code: 'setting.fixed', says: '"instructions" is set by turnbuckle.config.json:1.' },
  { change: { env: { ANTHROPIC_API_KEY: 'x' } }, code: 'setting.fixed', says: 'ANTHROPIC_API_KEY in the environment' },
  { change: { env: { ANTHROPIC_BASE_URL: 'http://evil' } }, code: 'setting.fixed', says: 'ANTHROPIC_API_KEY in the' },
  { change: { env: { OPENAI_API_KAY: 'x' } }, code: 'setting.invalid', says: 'Did you mean "OPENAI_API_KEY"' },
  { change: { env: { PATH: '/tmp' } }, code: 'setting.invalid', says: 'is no key or address' },
  { change: { env: { OPENAI_BASE_URL: 'http://evil' } }, code: 'setting.invalid', says: 'needs the key once more' },
  {
    change: { env: { OLLAMA_BASE_URL: 'file:///etc' } },
    code: 'setting.fixed',
    says: 'OLLAMA_BASE_URL in the environment',
  },
  { change: { env: { COMPATIBLE_BASE_URL: 'file:///etc' } }, code: 'setting.invalid', says: 'is not an address' },
  { change: { model: 'antropic/x' }, code: 'model.unknown', says: 'Did you mean "anthropic/…"' },
  { change: { model: 'google/x' }, code: 'model.key', says: 'needs a key' },
  { change: { permissions: { deny: ['shell('] } }, code: 'setting.invalid', says: 'permissions.deny: "shell("' },
  { change: { mcpServers: { far: null } }, code: 'setting.fixed', says: '"mcpServers.far" is set by turnbuckle.conf' },
  { change: { mcpServers: { a: {} } }, code: 'setting.invalid', says: 'needs either a command or an address' },
  {
    change: { mcpServers: { a: { url: 'http://127.0.0.1:9', env: { A: '1' } } } },
    code: 'setting.invalid',
    says: 'headers an address',
  },
  { change: { middleware: [{ use: './evil.ts' }] }, code: 'setting.invalid', says: 'Add it in the file itself' },
  { change: { middleware: [{ use: 'approval' }] }, code: 'setting.invalid', says: 'There is no middleware' },
  {
    change: { middleware: [{ use: 'step-limit', options: { max: 'x' } }] },
    code: 'setting.invalid',
    says: 'does not take these options',
  },
  {
    change: { middleware: [{ use: 'step-limit' }, { use: 'step-limit' }] },
    code: 'setting.invalid',
    says: 'step-limit',
  },
])('$change is refused with $code, and nothing is changed', async ({ change, code, says }) => {
  put('home/config.json', { env: { OPENAI_API_KEY: 'sk-1' } })
  put('project/turnbuckle.config.json', {
    instructions: 'Ours.',
    mcpServers: { far: { url: 'http://127.0.0.1:9/mcp' } },
  })
  const { settings, composed } = await served({ ANTHROPIC_API_KEY: 'sk-2' })
  const before = composed.agent.middleware
  await expect(settings.change({ params: { topP: 1 }, ...change })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
  })
  expect(userFile()).toEqual({ env: { OPENAI_API_KEY: 'sk-1' } })
  expect(composed.agent.middleware).toEqual(before)
})

test('rules are changed list by list, count from the next call on, and the project’s stay', async () => {
  put('home/config.json', { permissions: { allow: ['read_file'], deny: ['shell(rm *)'] } })
  put('project/turnbuckle.config.json', { permissions: { ask: ['write_file'] } })
  const { settings, composed } = await served()
  await settings.change({ permissions: { allow: ['shell', 'write_file'], deny: null, ask: [] } })
  expect(userFile()).toEqual({ permissions: { allow: ['shell', 'write_file'], ask: [] } })
  expect((await settings.read()).permissions).toMatchObject({
    user: { allow: ['shell', 'write_file'], ask: [] },
    project: { ask: ['write_file'] },
    harmless: expect.arrayContaining(['read_file']),
  })
  expect(['shell', 'write_file', 'read_file'].map(name => settings.permissionOf(name).decision)).toEqual([
    'allow',
    'ask',
    'ask',
  ])
  expect(composed.live.permissions).toMatchObject({ allow: ['shell', 'write_file'] })
})

test('an MCP server is added, changed and taken out; its secrets are kept and never told, and go to no other address', async () => {
  const { settings } = await served()
  const [url, headers] = ['http://127.0.0.1:9/mcp', { authorization: 'Bearer sk-1' }]
  await settings.change({ mcpServers: { far: { url, headers }, near: { command: 'no-such-program' } } })
  expect(settings.mcpServers().map(({ name, from, trusted }) => `${name} ${from} ${trusted}`)).toEqual([
    'far user true',
    'near user true',
  ])
  await expect.poll(() => settings.mcpServers().map(({ state }) => state)).toEqual(['failed', 'failed'])
  await settings.change({ mcpServers: { far: { url, headers: { 'x-team': 'a' } }, near: null } })
  expect(userFile()).toEqual({ mcpServers: { far: { url, headers: { ...headers, 'x-team': 'a' } } } })
  const told = await settings.read()
  expect(told.mcpServers).toEqual({ far: { url, headers: ['authorization', 'x-team'] } })
  expect(JSON.stringify(told)).not.toContain('sk-1')
  await settings.change({ mcpServers: { far: { url: 'http://127.0.0.1:8/mcp' } } })
  expect(userFile()).toEqual({ mcpServers: { far: { url: 'http://127.0.0.1:8/mcp' } } })
})

test('middleware is added, changed and taken out at once; what was switched off stays off', async () => {
  put('home/config.json', { middleware: [{ use: 'step-limit', options: { max: 3 } }] })
  const { settings, composed } = await served()
  const { agent } = composed
  const limits = () => agent.middleware.filter(({ name }) => /limit$/.test(name)).map(one => [one.name, one.enabled])
  agent.disable('step-limit')
  const changed = [
    { use: 'step-limit', options: { max: 5 }, priority: 7 },
    { use: 'tool-limit', options: { max: 2 } },
  ]
  await settings.change({ middleware: changed })
  expect(userFile()).toEqual({ middleware: changed })
  expect(limits()).toEqual([
    ['step-limit', false],
    ['tool-limit', true],
  ])
  expect(agent.middleware.find(({ name }) => name === 'step-limit')?.priority).toBe(7)
  expect((await settings.read()).middleware).toEqual([
    { ...changed[0], from: 'user', names: ['step-limit'] },
    { ...changed[1], from: 'user', names: ['tool-limit'] },
  ])
  await settings.change({ middleware: [{ ...changed[0], use: 'step-limit', enabled: true }] })
  expect(limits()).toEqual([['step-limit', true]])
  await settings.change({ middleware: null })
  expect([limits(), userFile()]).toEqual([[], {}])
})

test('an entry in the place of a safety net counts from the next start on', async () => {
  const { settings, composed } = await served()
  const nets = () => composed.agent.middleware.filter(({ name }) => name === 'retry').length
  await settings.change({ middleware: [{ use: 'retry', options: { times: 1 } }] })
  expect((await settings.read()).middleware).toEqual([
    { use: 'retry', from: 'user', names: [], options: { times: 1 }, later: true },
  ])
  expect([nets(), userFile().middleware]).toEqual([1, [{ use: 'retry', options: { times: 1 } }]])
})

test('a list that was edited in the file meanwhile is not overwritten', async () => {
  const { settings } = await served()
  put('home/config.json', { middleware: [{ use: 'todo' }], permissions: { deny: ['shell'] } })
  for (const change of [{ middleware: [] }, { permissions: { deny: [] } }])
    await expect(settings.change(change)).rejects.toThrow('was edited since the start')
  await settings.change({ permissions: { ask: ['fetch'] } })
  expect(userFile()).toEqual({ middleware: [{ use: 'todo' }], permissions: { deny: ['shell'], ask: ['fetch'] } })
})

test('the rules of the settings tell what a tool may do', async () => {
  put('home/config.json', { permissions: { allow: ['read_file'], deny: ['shell(rm *)'] } })
  const { settings } = await served()
  expect(settings.permissionOf('read_file')).toEqual({ decision: 'allow', rules: [] })
  expect(settings.permissionOf('shell')).toEqual({ decision: 'ask', rules: ['deny shell(rm *)'] })
})

test('a hook of the project waits for trust with its text; trusted it works, and once changed it waits with a diff', async () => {
  const hook = (name: string) =>
    `import { middleware } from 'turnbuckle'\nexport default middleware({ name: '${name}' })\n`
  const path = join(folder, 'project/hook.ts')
  writeFileSync(path, hook('first'))
  put('project/turnbuckle.config.json', { middleware: [{ use: './hook.ts', options: { a: 1 } }] })
  const { settings, composed } = await served()
  const names = () => composed.agent.middleware.map(({ name }) => name)
  const [item] = await settings.untrusted()
  expect(item).toMatchObject({ kind: 'hook', name: './hook.ts', text: expect.stringContaining('"first"') })
  expect(item?.trustedText).toBeUndefined()
  writeFileSync(path, hook('second'))
  const content = { kind: 'hook', name: './hook.ts', hash: item?.hash ?? '' } as const
  await expect(settings.trust(content, 'ann')).rejects.toMatchObject({ code: 'trust.changed' })
  expect(names()).not.toContain('second')
  writeFileSync(path, hook('first'))
  await settings.trust(content, 'ann')
  expect(names()).toContain('first')
  expect((await settings.read()).middleware).toEqual([
    { use: './hook.ts', from: 'project', names: ['first'], options: { a: 1 } },
  ])
  await expect(settings.trust(content, 'ann')).rejects.toMatchObject({ code: 'trust.missing' })
  expect(settings.trusted()).toMatchObject([{ by: 'ann', act: 'trusted', what: 'hook ./hook.ts' }])
  writeFileSync(path, hook('second'))
  const [changed] = await settings.untrusted()
  expect(changed).toMatchObject({ text: expect.stringContaining('"second"'), trustedText: item?.text })
  await settings.trust({ ...content, hash: changed?.hash ?? '' }, 'ann')
  expect(names()).toContain('second')
  expect(names()).not.toContain('first')
})

test('an MCP server of the project is untrusted until an owner trusts it', async () => {
  put('project/turnbuckle.config.json', { mcpServers: { far: { url: 'http://127.0.0.1:9/mcp' } } })
  const { settings } = await served()
  expect(settings.mcpServers()).toEqual([
    {
      name: 'far',
      from: 'project',
      state: 'untrusted',
      trusted: false,
      does: 'connects to http://127.0.0.1:9/mcp',
      tools: [],
    },
  ])
  const [item] = await settings.untrusted()
  await settings.trust({ kind: 'mcp', name: 'mcp:far', hash: item?.hash ?? '' }, 'ann')
  await expect.poll(() => settings.mcpServers()[0]?.state).toBe('failed')
  expect(settings.mcpServers()[0]).toMatchObject({ trusted: true, error: expect.any(String) })
})

test('limits and tools are in the file at once, and count from the next start on; the project’s are fixed', async () => {
  put('home/config.json', { maxSteps: 9 })
  put('project/turnbuckle.config.json', { tools: { shell: false } })
  const { settings } = await served()
  await settings.change({ maxSteps: 12, retry: { times: 0 }, tools: { files: 'read' } })
  expect(userFile()).toEqual({ maxSteps: 12, retry: { times: 0 }, tools: { files: 'read' } })
  expect((await settings.read()).settings).toMatchObject({
    maxSteps: { value: 9, later: 12, from: 'user' },
    retry: { value: 3, later: 0, from: 'user' },
    'tools.files': { value: true, later: 'read', from: 'user' },
    'tools.shell': { value: false, from: 'project', fixed: true },
  })
  await expect(settings.change({ tools: { shell: true } })).rejects.toMatchObject({ code: 'setting.fixed' })
  await settings.change({ maxSteps: null, retry: null, tools: { files: null } })
  expect(userFile()).toEqual({})
})
