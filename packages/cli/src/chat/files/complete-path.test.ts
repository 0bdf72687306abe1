import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import { completePath } from './complete-path.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-complete-'))
  for (const name of ['src', 'node_modules']) mkdirSync(join(folder, name))
  for (const name of ['src/main.ts', 'src/maker.ts', '.env', 'notes.md']) writeFileSync(join(folder, name), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { text: 'read no', is: 'read notes.md ', choices: [] },
  { text: 'read s', is: 'read src/', choices: [] },
  { text: 'read src/m', is: 'read src/ma', choices: ['src/main.ts', 'src/maker.ts'] },
])('$text becomes $is', ({ text, is, choices }) => {
  expect(completePath(editorWith(text), folder)).toEqual({ text: is, cursor: is.length, choices })
})

test.each(['', 'read ', 'read .e', 'read node', 'read gone/x'])('%j is left as it is', text => {
  expect(completePath(editorWith(text), folder)).toBeUndefined()
})
