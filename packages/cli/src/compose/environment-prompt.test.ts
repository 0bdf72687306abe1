import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { environmentPrompt } from './environment-prompt.ts'
import { gitBranch } from './git-branch.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-git-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the model is told folder, system, date and branch', () => {
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/shop/cart\n')
  const said = environmentPrompt(root, { branch: gitBranch(root), now: new Date(2026, 10, 17).getTime() })
  expect(said).toMatch(
    new RegExp(`^Folder: ${root}\nSystem: ${process.platform} .*\nDate: 2026-11-17\nGit: on branch shop/cart$`),
  )
})

test.each([
  [0, ', nothing changed since the last commit'],
  [1, ', 1 changed file'],
  [3, ', 3 changed files'],
  [undefined, ''],
])('with %s changes the branch is followed by “%s”', (changes, said) => {
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
  expect(environmentPrompt(root, { branch: gitBranch(root), changes }).endsWith(`Git: on branch main${said}`)).toBe(
    true,
  )
})

test('outside a repository that is said', () => {
  expect(environmentPrompt(root, { branch: gitBranch(root) })).toContain('Git: this folder is not in a repository')
})
