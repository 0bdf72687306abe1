import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confinedPaths } from './confined-paths.ts'

let base: string
let root: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnbuckle-')))
  root = join(base, 'work')
  await mkdir(root)
})
afterEach(() => rm(base, { recursive: true, force: true }))

test('a folder without git is writable as a whole', async () => {
  expect(await confinedPaths({ root, write: [], hide: [] })).toEqual({
    writable: [root],
    readOnly: [],
    hidden: [],
    blocked: [],
    unwanted: [],
    links: [],
  })
})

test("git's hooks and settings and the program's own folder are read-only, and .git cannot be moved", async () => {
  for (const folder of ['.git/hooks', '.turnbuckle']) await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, '.git/config'), '')
  expect(await confinedPaths({ root, write: [], hide: [] })).toEqual({
    writable: [root, join(root, '.git')],
    readOnly: ['.turnbuckle', '.git/hooks', '.git/config'].map(path => join(root, path)),
    hidden: [],
    blocked: [],
    unwanted: ['.git/config.worktree', '.git/commondir'].map(path => join(root, path)),
    links: [],
  })
})

test('where git looks for settings besides, nothing is changed: in its file of a worktree, and in the file that names another folder', async () => {
  await mkdir(join(root, '.git/hooks'), { recursive: true })
  for (const name of ['commondir', 'config.worktree']) await writeFile(join(root, '.git', name), '')
  expect(await confinedPaths({ root, write: [], hide: [] })).toMatchObject({
    readOnly: ['.git/hooks', '.git/config.worktree', '.git/commondir'].map(path => join(root, path)),
    unwanted: [join(root, '.git/config')],
  })
  await rm(join(root, '.git'), { recursive: true })
  await writeFile(join(root, '.git'), 'gitdir: ../elsewhere')
  expect((await confinedPaths({ root, write: [], hide: [] })).readOnly).toEqual([join(root, '.git')])
})

test('of a link to settings of git the file is read-only, and the link is to stay; it is not taken for one that is not there', async () => {
  await mkdir(join(root, '.git/hooks'), { recursive: true })
  await writeFile(join(base, 'settings'), '')
  await symlink('../../settings', join(root, '.git/config'))
  await symlink('../../nowhere', join(root, '.git/commondir'))
  expect(await confinedPaths({ root, write: [], hide: [] })).toMatchObject({
    readOnly: [join(root, '.git/hooks'), join(base, 'settings')],
    unwanted: [join(root, '.git/config.worktree')],
    links: [
      { path: join(root, '.git/config'), target: '../../settings', file: { ino: expect.any(BigInt) } },
      { path: join(root, '.git/commondir'), target: '../../nowhere', file: undefined },
    ],
  })
})

test('a folder of git that .git leads to is guarded like .git, and so is the link', async () => {
  await mkdir(join(root, 'store/hooks'), { recursive: true })
  await writeFile(join(root, 'store/config'), '')
  await symlink('store', join(root, '.git'))
  const guarded = {
    writable: [root, join(root, 'store')],
    readOnly: ['store/hooks', 'store/config'].map(path => join(root, path)),
    unwanted: ['store/config.worktree', 'store/commondir'].map(path => join(root, path)),
  }
  expect(await confinedPaths({ root, write: [], hide: [] })).toMatchObject({
    ...guarded,
    links: [{ path: join(root, '.git'), target: 'store', file: { ino: expect.any(BigInt) } }],
  })
  await rm(join(root, '.git'))
  await writeFile(join(root, '.git'), 'gitdir: store')
  expect(await confinedPaths({ root, write: [], hide: [] })).toMatchObject({
    ...guarded,
    readOnly: [join(root, '.git'), ...guarded.readOnly],
    links: [],
  })
})

test('a file that .git leads to as a link is read-only: it names the folder of git', async () => {
  await mkdir(join(root, 'store/hooks'), { recursive: true })
  await writeFile(join(root, 'real'), 'gitdir: store')
  await symlink('real', join(root, '.git'))
  expect(await confinedPaths({ root, write: [], hide: [] })).toMatchObject({
    readOnly: ['store/hooks', 'real'].map(path => join(root, path)),
    links: [{ path: join(root, '.git'), target: 'real', file: { ino: expect.any(BigInt) } }],
  })
})

test('a repository that a worktree may write to keeps its hooks and settings; one outside is not writable', async () => {
  const [repository, own] = [join(base, 'main/.git'), join(base, 'main/.git/worktrees/work')]
  for (const folder of [own, join(repository, 'hooks')]) await mkdir(folder, { recursive: true })
  for (const file of [join(repository, 'config'), join(own, 'commondir')]) await writeFile(file, '../..')
  await writeFile(join(root, '.git'), `gitdir: ${own}`)
  expect((await confinedPaths({ root, write: [], hide: [] })).writable).toEqual([root])
  for (const write of [repository, join(base, 'main')]) {
    const { writable, readOnly, unwanted } = await confinedPaths({ root, write: [write], hide: [] })
    expect(writable).toEqual([...new Set([root, write, own, repository])])
    expect(readOnly).toEqual(expect.arrayContaining([join(root, '.git'), join(repository, 'hooks')]))
    expect(readOnly).toEqual(expect.arrayContaining([join(repository, 'config'), join(own, 'commondir')]))
    expect(unwanted).toContain(join(repository, 'commondir'))
  }
})

test('hooks that are not there yet are a folder that is forgotten', async () => {
  await mkdir(join(root, '.git'))
  expect((await confinedPaths({ root, write: [], hide: [] })).hidden).toEqual([join(root, '.git/hooks')])
})

test('of folders to write in and to hide the real paths count, and only those that are there', async () => {
  await mkdir(join(base, 'real'))
  await symlink(join(base, 'real'), join(base, 'link'))
  await writeFile(join(base, 'key'), '')
  const paths = [join(base, 'link'), join(base, 'absent')]
  expect(await confinedPaths({ root, write: paths, hide: [...paths, join(base, 'key')] })).toEqual({
    writable: [root, join(base, 'real')],
    readOnly: [],
    hidden: [join(base, 'real')],
    blocked: [join(base, 'key')],
    unwanted: [],
    links: [],
  })
})
