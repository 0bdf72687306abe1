import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { droppedFile } from './dropped-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-drop-'))
const path = join(folder, 'my picture.png')
writeFileSync(path, '')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  { how: 'plain', pasted: path },
  { how: 'escaped', pasted: path.replaceAll(' ', '\\ ') },
  { how: 'quoted', pasted: `'${path}' ` },
  { how: 'as an address', pasted: pathToFileURL(path).href },
])('a path that comes $how is a dropped file', ({ pasted }) => {
  expect(droppedFile(pasted)).toBe(path)
})

test.each([
  { what: 'a folder', pasted: folder },
  { what: 'a file that is not there', pasted: join(folder, 'none.png') },
  { what: 'a relative path', pasted: 'my picture.png' },
  { what: 'two lines', pasted: `${path}\n${path}` },
  { what: 'a broken address', pasted: 'file:' },
])('$what is text', ({ pasted }) => {
  expect(droppedFile(pasted)).toBeUndefined()
})
