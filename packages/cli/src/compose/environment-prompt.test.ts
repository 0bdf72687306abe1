import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { environmentPrompt } from './environment-prompt.ts'
import { gitBranch } from './git-state.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-git-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' })
async function prompted(): Promise<string> {
  const model = scriptedModel(['Hi.'])
  await createAgent({ model, use: [environmentPrompt(root)] }).send('Go.')
  return String(model.prompts[0]?.instructions)
}

test('the model is told folder, system, date and git state', async () => {
  git('init', '-q', '-b', 'shop')
  writeFileSync(join(root, 'a.txt'), 'a')
  const said = await prompted()
  expect(said).toContain(`Folder: ${root}`)
  expect(said).toContain(`System: ${process.platform}`)
  expect(said).toMatch(/Date: \d{4}-\d\d-\d\d/)
  expect(said).toContain('Git: on branch shop, 1 file changed')
  expect(gitBranch(root)).toBe('shop')
})

test('outside a repository that is said', async () => {
  expect(await prompted()).toContain('Git: this folder is not in a repository')
  expect(gitBranch(root)).toBeUndefined()
})
