import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { createAgent } from 'turnbuckle'
import { checkModel, defaultModel, prices, resolveModel } from 'turnbuckle/models'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { withPath } from './resolve.ts'

const mock = new LLMock({ port: 0, logLevel: 'silent' })
beforeAll(async () => {
  mock.onMessage('Hello', { content: 'Hello yourself.' })
  await mock.start()
})
afterAll(() => mock.stop())
afterEach(() => vi.unstubAllEnvs())

const everything = () => ({
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_BASE_URL: mock.url,
  OPENAI_API_KEY: 'k',
  OPENAI_BASE_URL: `${mock.url}/v1`,
  GOOGLE_GENERATIVE_AI_API_KEY: 'k',
  GOOGLE_BASE_URL: mock.url,
  OLLAMA_BASE_URL: mock.url,
  COMPATIBLE_BASE_URL: `${mock.url}/v1/`,
  COMPATIBLE_API_KEY: 'k',
})

test.each([
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5',
  'google/gemini-2.5-flash',
  'ollama/llama3.2:1b',
  'compatible/meta/llama-4',
])('%s is a name that createAgent takes', async model => {
  for (const [name, value] of Object.entries(everything())) vi.stubEnv(name, value)
  expect(await createAgent({ model }).send('Hello')).toMatchObject({ status: 'completed', text: 'Hello yourself.' })
  const { body } = mock.getLastRequest() as { body: { model: string } }
  expect(model.endsWith(body.model)).toBe(true)
})

test('offline needs nothing', async () => {
  expect(await createAgent({ model: 'offline' }).send('Hello')).toMatchObject({ status: 'completed' })
})

test.each([
  { model: 'anthropic/x', env: {}, code: 'model.key', says: 'Set ANTHROPIC_API_KEY' },
  { model: 'openai/x', env: {}, code: 'model.key', says: 'Set OPENAI_API_KEY' },
  { model: 'google/x', env: {}, code: 'model.key', says: 'Set GOOGLE_GENERATIVE_AI_API_KEY' },
  { model: 'compatible/x', env: {}, code: 'model.endpoint', says: 'Set COMPATIBLE_BASE_URL' },
  {
    model: 'compatible/x',
    env: { COMPATIBLE_BASE_URL: 'nonsense' },
    code: 'model.endpoint',
    says: 'COMPATIBLE_BASE_URL is not an address',
  },
  { model: 'antropic/x', env: {}, code: 'model.unknown', says: 'Did you mean "anthropic/…"?' },
  { model: 'ofline', env: {}, code: 'model.unknown', says: 'Did you mean "offline"?' },
  { model: 'gpt-5', env: {}, code: 'model.unknown', says: 'Write "provider/model" or "offline"' },
  { model: 'openai/', env: {}, code: 'model.unknown', says: 'Write "provider/model"' },
  { model: 'toString/x', env: {}, code: 'model.unknown', says: 'Providers: anthropic' },
])('$model with $env says: $says', async ({ model, env, code, says }) => {
  const wrong = { code, message: expect.stringContaining(says) }
  await expect(resolveModel(model, { env })).rejects.toMatchObject(wrong)
  expect(() => checkModel(model, env)).toThrow(expect.objectContaining(wrong))
})

test('a package that is not installed is named', async () => {
  const load = () => Promise.reject(new Error('Cannot find package'))
  const resolving = resolveModel('ollama/x', { env: {}, load })
  await expect(resolving).rejects.toMatchObject({
    code: 'model.package',
    message: expect.stringContaining('npm install @ai-sdk/openai-compatible'),
  })
})

test('a package of another time, without its factory, is named', async () => {
  const resolving = resolveModel('ollama/x', { env: {}, load: async () => ({}) })
  await expect(resolving).rejects.toMatchObject({
    code: 'model.package',
    message: expect.stringContaining('npm install @ai-sdk/openai-compatible@latest'),
  })
})

test('a turn fails with what is missing, and works once it is there', async () => {
  vi.stubEnv('OPENAI_API_KEY', '')
  const agent = createAgent({ model: 'openai/gpt-5' })
  expect(await agent.send('Hello').settled).toMatchObject({ status: 'failed', error: { code: 'model.key' } })
  for (const [name, value] of Object.entries(everything())) vi.stubEnv(name, value)
  expect(await agent.send('Hello')).toMatchObject({ status: 'completed' })
})

test.each([
  { address: 'http://host:1', is: 'http://host:1/v1' },
  { address: 'http://host:1/', is: 'http://host:1/v1' },
  { address: 'http://host:1/v1/', is: 'http://host:1/v1' },
  { address: 'http://host:1/api/v3', is: 'http://host:1/api/v3' },
])('$address leads to $is', ({ address, is }) => expect(withPath(address, { endpoint: 'X', path: '/v1' })).toBe(is))

const nobody: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))

test.each([
  { env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, is: /^anthropic\// },
  { env: { GOOGLE_GENERATIVE_AI_API_KEY: 'k', OPENAI_API_KEY: 'k' }, is: /^openai\// },
  { env: { GOOGLE_GENERATIVE_AI_API_KEY: 'k', OPENAI_API_KEY: '' }, is: /^google\// },
  { env: {}, is: /^offline$/ },
])('with $env the default is $is', async ({ env, is }) =>
  expect(await defaultModel(env, { fetch: nobody })).toMatch(is),
)

test('without a key a local Ollama that answers is the default, and one that hangs is not', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/api/tags') response.end(JSON.stringify({ models: [{ name: 'llama3.2:1b' }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const OLLAMA_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await defaultModel({ OLLAMA_BASE_URL }, { probeMs: 60_000 })).toBe('ollama/llama3.2:1b')
  server.removeAllListeners('request')
  expect(await defaultModel({ OLLAMA_BASE_URL }, { probeMs: 20 })).toBe('offline')
  server.closeAllConnections()
  server.close()
})

test.each([
  { key: 'ANTHROPIC_API_KEY', package: '@ai-sdk/anthropic' },
  { key: 'OPENAI_API_KEY', package: '@ai-sdk/openai' },
  { key: 'GOOGLE_GENERATIVE_AI_API_KEY', package: '@ai-sdk/google' },
])('the default model for $key is one that the installed $package knows', async ({ key, package: name }) => {
  const [, model] = (await defaultModel({ [key]: 'x' })).split('/')
  const types = fileURLToPath(import.meta.resolve(name)).replace(/\.m?js$/, '.d.ts')
  expect(await readFile(types, 'utf8')).toContain(`'${model}'`)
})

test.each(Object.keys(prices))('%s has a price, and its package knows the model', async id => {
  const [vendor, model] = id.split('/')
  const types = fileURLToPath(import.meta.resolve(`@ai-sdk/${vendor}`)).replace(/\.m?js$/, '.d.ts')
  expect(await readFile(types, 'utf8')).toMatch(new RegExp(`'${model}(-[\\d-]+)?'`))
})
