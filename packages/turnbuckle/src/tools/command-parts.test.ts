import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandParts } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

test('only the shell tool has commands', () => {
  expect(commandParts({ name: 'read_file', args: { path: 'x' } })).toBeUndefined()
  expect(commandParts({ name: 'shell', args: { command: 'ls; rm x' } })).toEqual(['ls', 'rm x'])
  expect(commandParts({ name: 'shell', args: {} })).toBe('unknown')
})

test.each([
  { cwd: undefined, parts: ['git status'] },
  { cwd: '.', parts: ['git status'] },
  { cwd: './', parts: ['git status'] },
  { cwd: '', parts: ['git status'] },
  { cwd: 'vendor/bare.git', parts: ['cd vendor/bare.git', 'git status'] },
  { cwd: '..', parts: ['cd ..', 'git status'] },
  { cwd: '/', parts: ['cd /', 'git status'] },
  { cwd: 7, parts: 'unknown' },
])('the folder $cwd to run in is a command of its own where it is another one', ({ cwd, parts }) => {
  expect(commandParts({ name: 'shell', args: { command: 'git status', cwd } })).toEqual(parts)
})

test('no name of the workspace is another folder, where it is known', async () => {
  const root = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  const link = `${root}-link`
  await symlink(root, link)
  const partsIn = (cwd: string) => commandParts({ name: 'shell', args: { command: 'git status', cwd } }, root)
  for (const cwd of [root, `${root}/`, link, 'src/..']) expect(partsIn(cwd)).toEqual(['git status'])
  for (const cwd of ['src', '..', `${root}/src`]) expect(partsIn(cwd)).toEqual([`cd ${cwd}`, 'git status'])
  await rm(link)
  await rm(root, { recursive: true })
})
