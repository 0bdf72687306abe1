import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanStyled, cleanText } from './clean-text.ts'

test.each([
  ['a title of the window', 'a\x1b]0;owned\x07b', 'ab'],
  ['a cleared screen', 'a\x1b[2J\x1b[3Jb', 'ab'],
  ['concealed text', '\x1b[8msecret\x1b[0m', 'secret\x1b[0m'],
  ['a sequence of eight bits', 'a\x9b2Jb', 'ab'],
  ['a clipboard', '\x1b]52;c;aGk=\x07', ''],
  ['a link that is no link to the web', '\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\', 'x\x1b]8;;\x1b\\'],
  ['turned text', 'a\u202eb', 'ab'],
  ['a message to the terminal that never ends, and no line behind it', 'a\x1b^hidden\nshown', 'a\nshown'],
  ['a lone ESC before a kept one', '\x1b\x1b[1mx', '\x1b[1mx'],
])('takes out %s', (_, foreign, clean) => {
  expect(cleanStyled(foreign)).toBe(clean)
})

test.each([
  '\x1b[1ma\x1b[22m',
  '\x1b[38;5;244ma\x1b[39m',
  '\x1b]8;;https://a.example/\x1b\\a\x1b]8;;\x1b\\',
  'a\tb\nc',
])('keeps %j of our own', own => {
  expect(cleanStyled(own)).toBe(own)
})

test('foreign text loses its colours, too', () => {
  expect(cleanText('a\x1b[31mb\x1b]8;;https://a.example/\x1b\\c')).toBe('abc')
})

test('standard output and error are written to in one file only, but for the version', () => {
  const root = new URL('..', import.meta.url).pathname
  const bypass = /console\.|std(out|err)\.write|\bstdout\b.*\.write|new WriteStream|createWriteStream|writeSync/
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .filter(name => bypass.test(readFileSync(join(root, name), 'utf8')))
  // The tasks of an evaluation are texts of programs.
  expect(found.filter(name => name !== 'eval/eval-tasks.ts').sort()).toEqual(['main.ts', 'text/print.ts'])
})
