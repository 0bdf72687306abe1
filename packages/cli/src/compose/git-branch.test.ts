import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitBranch } from './git-branch.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-branch-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, text: string) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

test('a folder inside a repository has its branch, also one with a slash', () => {
  put('.git/HEAD', 'ref: refs/heads/fix/cart\n')
  put('src/a.ts', '')
  expect(gitBranch(join(root, 'src'))).toBe('fix/cart')
})

test('a worktree has the branch of its own git folder', () => {
  put('main/.git/worktrees/side/HEAD', 'ref: refs/heads/side\n')
  put('side/.git', 'gitdir: ../main/.git/worktrees/side\n')
  expect(gitBranch(join(root, 'side'))).toBe('side')
})

test('a commit that is checked out is shown by its beginning, and a broken repository by nothing', () => {
  put('.git/HEAD', '0123456789abcdef\n')
  expect(gitBranch(root)).toBe('01234567')
  rmSync(join(root, '.git/HEAD'))
  expect(gitBranch(root)).toBeUndefined()
})
