import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { memoryPermissions } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownMiddleware } from './own-middleware.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-own-'))
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'secret'), 'SECRET')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function instructionsOf(root: string): Promise<string | undefined> {
  const model = scriptedModel(['ok'])
  const use = ownMiddleware({ root, user: {}, project: {} }, { permissions: memoryPermissions() })
  const { status } = await createAgent({ model, use }).send('hi')
  expect(status).toBe('completed')
  return model.prompts[0]?.instructions
}

test('AGENTS.md of the project is sent, and as a link out of the project it is not', async () => {
  const root = join(folder, 'project')
  writeFileSync(join(root, 'AGENTS.md'), 'Use tabs.')
  expect(await instructionsOf(root)).toContain('Use tabs.')
  rmSync(join(root, 'AGENTS.md'))
  symlinkSync('../secret', join(root, 'AGENTS.md'))
  expect(await instructionsOf(root)).not.toContain('SECRET')
})
