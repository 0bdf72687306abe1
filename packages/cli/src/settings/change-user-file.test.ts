import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeUserFile, userFile } from './change-user-file.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'turnbuckle-user-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))
const text = (path = userFile(home)) => readFileSync(path, 'utf8')

test('a change leaves the rest of the file as it is, for the user alone', () => {
  writeFileSync(userFile(home), '{ "theme": "light", "env": { "A": "1" } }', { mode: 0o644 })
  changeUserFile(home, before => ({ ...before, model: 'offline' }))
  expect(JSON.parse(text())).toEqual({ theme: 'light', env: { A: '1' }, model: 'offline' })
  expect(statSync(userFile(home)).mode & 0o777).toBe(0o600)
  expect(() => text(`${userFile(home)}.old`)).toThrow('ENOENT')
})

test('a file with comments is kept beside the new one', () => {
  writeFileSync(userFile(home), '{ "theme": "light" } // mine')
  changeUserFile(home, before => before)
  expect(text(`${userFile(home)}.old`)).toContain('// mine')
})

test('a change that makes no sense changes nothing', () => {
  expect(() => changeUserFile(home, () => ({ maxSteps: 0 }))).toThrow('"maxSteps" must be a whole number')
  expect(() => text()).toThrow('ENOENT')
})
