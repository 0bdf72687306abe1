import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSwitches, writeSwitch } from './middleware-switches.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-switches-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('switches are kept per project, the last of a name counts', () => {
  writeSwitch(folder, '/a', 'todo', false)
  writeSwitch(folder, '/a', 'trim', false)
  writeSwitch(folder, '/a', 'todo', true)
  expect(readSwitches(folder, '/a')).toEqual({ todo: true, trim: false })
  expect(readSwitches(folder, '/b')).toEqual({})
})
