import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { homeFolder, readHomeFile, writeHomeFile } from './home-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-home-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { env: {}, is: join(homedir(), '.config', 'turnbuckle') },
  { env: { XDG_CONFIG_HOME: '/x' }, is: '/x/turnbuckle' },
  { env: { XDG_CONFIG_HOME: '/x', TURNBUCKLE_HOME: '/t' }, is: '/t' },
])('with $env the folder is $is', ({ env, is }) => {
  expect(homeFolder(env)).toBe(is)
})

test('a file that is not there reads as its empty value, one that was written as it is', () => {
  const path = join(folder, 'new', 'a.json')
  expect(readHomeFile(path, [])).toEqual([])
  writeHomeFile(path, { a: 1 })
  expect(readHomeFile(path, {})).toEqual({ a: 1 })
})

test('a file is for its owner alone, and leaves no other beside it', () => {
  writeHomeFile(join(folder, 'a.json'), 1)
  expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.json'])
})

test('a damaged file is named, with what to do', () => {
  const path = join(folder, 'a.json')
  writeFileSync(path, '{')
  expect(() => readHomeFile(path, {})).toThrow(`"${path}" is damaged. Move it away to start anew.`)
})
