import { expect, test } from 'vitest'
import { wireMcpSettings } from './wire-mcp-settings.ts'

test('variables and headers are told by name, never by value', () => {
  const told = wireMcpSettings({
    docs: { command: 'npx', args: ['docs'], env: { DOCS_KEY: 'sk-1' } },
    far: { url: 'https://far', headers: { authorization: 'Bearer sk-2' } },
    bare: { command: 'x' },
  })
  expect(told).toEqual({
    docs: { command: 'npx', args: ['docs'], env: ['DOCS_KEY'] },
    far: { url: 'https://far', headers: ['authorization'] },
    bare: { command: 'x' },
  })
})
