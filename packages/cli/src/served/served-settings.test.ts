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
    { instructions: 'Be brief.', params: { temperature: 0.5 } },
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
])('$change is refused with $code, and nothing is changed', async ({ change, code, says }) => {
  put('home/config.json', { env: { OPENAI_API_KEY: 'sk-1' } })
  put('project/turnbuckle.config.json', { instructions: 'Ours.' })
  const { settings } = await served({ ANTHROPIC_API_KEY: 'sk-2' })
  await expect(settings.change({ params: { topP: 1 }, ...change })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
  })
  expect(userFile()).toEqual({ env: { OPENAI_API_KEY: 'sk-1' } })
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
