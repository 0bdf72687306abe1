import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mcpPinFile } from './mcp-pin-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-pins-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a pin is there for the next process, in its project alone', () => {
  mcpPinFile(folder, '/a').set('docs/search', 'hash')
  mcpPinFile(folder, '/a').set('docs/read', 'other')
  expect(mcpPinFile(folder, '/a').get('docs/search')).toBe('hash')
  expect(mcpPinFile(folder, '/a').get('docs/read')).toBe('other')
  expect(mcpPinFile(folder, '/b').get('docs/search')).toBeUndefined()
})
