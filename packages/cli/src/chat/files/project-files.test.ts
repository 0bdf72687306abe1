import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProjectFiles } from './project-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-files-'))
  for (const name of ['src', 'node_modules', 'out']) mkdirSync(join(folder, name))
  for (const name of ['src/main.ts', 'node_modules/x.js', '.env', 'out/made.js', 'notes.md'])
    writeFileSync(join(folder, name), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('files are found by letters of their path, hidden and installed ones are not', () => {
  const files = new ProjectFiles(folder)
  expect(files.find('')).toEqual(['notes.md', 'out/made.js', 'src/main.ts'])
  expect(files.find('mnts')).toEqual(['src/main.ts'])
})

test('in a repository those that git ignores are not found; the list is read anew after a while', () => {
  spawnSync('git', ['init', '-q'], { cwd: folder })
  writeFileSync(join(folder, '.gitignore'), 'out\nnode_modules\n.env\n')
  let now = 0
  const files = new ProjectFiles(folder, () => now)
  expect([...files.find('')].sort()).toEqual(['.gitignore', 'notes.md', 'src/main.ts'])
  writeFileSync(join(folder, 'later.md'), '')
  expect(files.find('later')).toEqual([])
  now = 5001
  expect(files.find('later')).toEqual(['later.md'])
})
