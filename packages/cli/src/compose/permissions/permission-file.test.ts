import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Grant } from 'turnbuckle/middleware'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { permissionFile } from './permission-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-permissions-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const grant = (id: string, more: Partial<Grant> = {}): Grant => ({
  id,
  decision: 'allow',
  scope: 'always',
  tool: 'shell',
  pattern: 'shell(ls *)',
  patterns: ['shell(ls *)'],
  fingerprint: 'f',
  createdAt: 0,
  ...more,
})
const ids = async () => (await permissionFile(folder).list()).map(({ id }) => id)

test('another process sees what was added and revoked', async () => {
  const permissions = permissionFile(folder)
  for (const id of ['a', 'b']) await permissions.add(grant(id))
  expect(await ids()).toEqual(['a', 'b'])
  expect(await permissionFile(folder).revoke('a')).toBe(true)
  expect(await permissionFile(folder).revoke('a')).toBe(false)
  expect(await permissions.list()).toEqual([grant('b')])
})

test('a permission that has expired is not listed', async () => {
  await permissionFile(folder).add(grant('old', { expiresAt: 1 }))
  expect(await ids()).toEqual([])
})

test('a permission for two uses is used twice', async () => {
  const permissions = permissionFile(folder)
  await permissions.add(grant('twice', { usesLeft: 2 }))
  const uses = [await permissions.use?.('twice'), await permissions.use?.('twice'), await permissions.use?.('twice')]
  expect(uses).toEqual([true, true, false])
})
