import { expect, test } from 'vitest'
import { callText } from './call-text.ts'

test.each([
  { what: 'a command', name: 'shell', args: { command: 'ls -l' }, text: '$ ls -l' },
  { what: 'its folder', name: 'shell', args: { command: 'ls', cwd: 'src' }, text: '$ ls\ncwd: src' },
  { what: 'its lines', name: 'shell', args: { command: 'a\nb' }, text: '$ a\n  b' },
  { what: 'the path', name: 'write_file', args: { path: 'a.txt', content: 'x\n' }, diff: '+x', text: 'a.txt' },
  {
    what: 'the path of an edit',
    name: 'edit_file',
    args: { path: 'a.txt', old: 'x', new: 'y', all: true },
    diff: '-x\n+y',
    text: 'a.txt\nall: true',
  },
  {
    what: 'the text where there is no diff',
    name: 'write_file',
    args: { path: 'a.txt', content: 'x' },
    text: 'a.txt\ncontent: x',
  },
  {
    what: 'characters that a diff hides',
    name: 'write_file',
    args: { path: 'a.txt', content: 'x\u202ey' },
    diff: '+xy',
    text: 'a.txt\ncontent: x\\u202ey',
  },
  { what: 'arguments line by line', name: 'send', args: { to: 'joe', times: 2 }, text: 'to: joe\ntimes: 2' },
  { what: 'no second argument by a line end', name: 'send', args: { to: 'joe\nb: 2' }, text: 'to: joe\n  b: 2' },
  { what: 'that there are none', name: 'send', args: {}, text: '(no arguments)' },
  { what: 'what is no object', name: 'send', args: 'x', text: 'x' },
])('a call shows $what', ({ name, args, diff, text }) => expect(callText(name, args, diff)).toBe(text))
