import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProjectFile } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let root: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-project-'))
  root = join(folder, 'project')
  mkdirSync(root)
  writeFileSync(join(folder, 'secret'), 'key')
  writeFileSync(join(root, 'CLAUDE.md'), 'Use tabs.')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a file and a link inside the project are read, and none is nothing', async () => {
  symlinkSync('CLAUDE.md', join(root, 'AGENTS.md'))
  expect(await readProjectFile(root, 'CLAUDE.md')).toBe('Use tabs.')
  expect(await readProjectFile(root, 'AGENTS.md')).toBe('Use tabs.')
  expect(await readProjectFile(root, 'none.md')).toBeUndefined()
})

test.each(['../secret', '../missing'])('a link to %s is refused', async target => {
  symlinkSync(target, join(root, 'AGENTS.md'))
  await expect(readProjectFile(root, 'AGENTS.md')).rejects.toMatchObject({ code: 'path.outside' })
})

test('a linked folder that leads out is refused', async () => {
  symlinkSync('..', join(root, 'web'))
  await expect(readProjectFile(root, 'web/secret')).rejects.toMatchObject({ code: 'path.outside' })
})

test('a file that is made between two looks is read by the second', async () => {
  const looks = Promise.all([readProjectFile(root, 'AGENTS.md'), readProjectFile(root, 'AGENTS.md')])
  expect(await looks).toEqual([undefined, undefined])
  writeFileSync(join(root, 'AGENTS.md'), 'Use spaces.')
  expect(await readProjectFile(root, 'AGENTS.md')).toBe('Use spaces.')
})
