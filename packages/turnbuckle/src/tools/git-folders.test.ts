import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitFolders } from './git-folders.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'turnbuckle-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a folder without git has none', () => expect(gitFolders(root)).toEqual([]))

test('.git is one, also as a link', async () => {
  await mkdir(join(root, 'store'))
  await symlink('store', join(root, '.git'))
  expect(gitFolders(root)).toEqual([join(root, 'store')])
  await rm(join(root, '.git'))
  await mkdir(join(root, '.git'))
  expect(gitFolders(root)).toEqual([join(root, '.git')])
})

test('of a worktree it is its own folder, and the repository that it shares', async () => {
  const own = join(root, 'main/.git/worktrees/one')
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'commondir'), '../..\n')
  await mkdir(join(root, 'one'))
  await writeFile(join(root, 'one/.git'), `gitdir: ${own}\n`)
  expect(gitFolders(join(root, 'one'))).toEqual([own, join(root, 'main/.git')])
})

test.runIf(process.platform !== 'win32')('a pipe .git is not waited for', () => {
  spawnSync('sh', ['-c', 'mkfifo "$0"', join(root, '.git')])
  expect(gitFolders(root)).toEqual([])
})

test.each(['gitdir: .', 'gitdir: ..', 'gitdir: nowhere', 'hello', ''])(
  'a file .git with %j leads to none',
  async text => {
    await writeFile(join(root, '.git'), text)
    expect(gitFolders(root)).toEqual([])
  },
)
