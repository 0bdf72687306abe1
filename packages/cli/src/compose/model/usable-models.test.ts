import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { usableModels } from './usable-models.ts'

test('without keys there is offline alone; a key adds the models of its provider', async () => {
  const nobody = { OLLAMA_BASE_URL: 'http://127.0.0.1:9' }
  expect(await usableModels(nobody)).toEqual(['offline'])
  const more = await usableModels({ ...nobody, ANTHROPIC_API_KEY: 'k' })
  expect(more.length).toBeGreaterThan(1)
  expect(more.every(name => name.startsWith('anthropic/') || name === 'offline')).toBe(true)
})

test('the models of an Ollama on this machine are among them', async () => {
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ models: [{ name: 'llama4' }, { name: 7 }] })),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await usableModels({ OLLAMA_BASE_URL: `http://127.0.0.1:${port}` })).toEqual(['ollama/llama4', 'offline'])
})
