import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mcpCredentialFile } from './mcp-credential-file.ts'

test('tokens are kept by the address of their server, for the user alone, until they are forgotten', () => {
  const home = mkdtempSync(join(tmpdir(), 'turnbuckle-tokens-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const store = mcpCredentialFile(home)
  store.set('https://a/mcp', 'one')
  store.set('https://b/mcp', 'two')
  expect(mcpCredentialFile(home).get('https://a/mcp')).toBe('one')
  expect(statSync(join(home, 'mcp-tokens.json')).mode & 0o077).toBe(0)
  store.set('https://a/mcp', undefined)
  expect([store.get('https://a/mcp'), store.get('https://b/mcp')]).toEqual([undefined, 'two'])
})
