import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attachedFiles } from './attached-files.ts'
import { droppedFile } from './dropped-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-attach-'))
  for (const name of ['a.ts', 'a file.txt', 'pic.png']) writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'data.bin'), Buffer.from([1, 0, 2]))
  writeFileSync(join(folder, 'huge.txt'), 'x'.repeat(500_001))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { text: 'look at @a.ts', files: ['a.ts text/plain'] },
  { text: 'look at @a.ts, please', files: ['a.ts text/plain'] },
  { text: 'look at @"a file.txt" and @pic.png', files: ['a file.txt text/plain', 'pic.png image/png'] },
  { text: '@a.ts @a.ts', files: ['a.ts text/plain'] },
  { text: 'ask @alice, mail a@a.ts', files: [] },
])('$text has the files $files', ({ text, files }) =>
  expect(attachedFiles(text, folder).map(({ name, mediaType }) => `${name} ${mediaType}`)).toEqual(files),
)

test.each([
  { text: '@data.bin', says: 'neither text nor an image' },
  { text: '@huge.txt', says: 'too large to send' },
])('$text is refused: $says', ({ text, says }) => expect(() => attachedFiles(text, folder)).toThrow(says))

test('a dropped file is known by its path: plain, quoted, escaped, or an address', () => {
  const path = join(folder, 'a file.txt')
  for (const pasted of [path, `'${path}'`, path.replace(' ', '\\ '), `file://${path.replace(' ', '%20')}`, `${path} `])
    expect(droppedFile(pasted)).toBe(path)
  for (const pasted of ['a.ts', `${path}\n${path}`, join(folder, 'gone'), folder, ''])
    expect(droppedFile(pasted)).toBeUndefined()
})
