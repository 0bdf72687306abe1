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
  })
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
  })
})
