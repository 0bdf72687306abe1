import { expect, test } from 'vitest'
import { parsePattern } from './pattern.ts'
import { covers, forbids, mayForbid, subjectOf } from './subject.ts'

const shell = (command: string) => subjectOf({ name: 'shell', args: { command } }, undefined)

test('without an analyser a plain command is its own text', () => {
  expect(shell('ls src')).toMatchObject({ texts: ['ls src'], unknown: false, command: true })
})

test('without an analyser a line with signs of the shell is unknown', () => {
  expect(shell('ls; rm x')).toMatchObject({ texts: [undefined], unknown: true })
})

test('the arguments with telling names are the texts of a call', () => {
  const subject = subjectOf({ name: 'move', args: { from: 'a', to: 'b', note: 'c' } }, undefined)
  expect(subject).toMatchObject({ texts: ['a', 'b'], telling: true })
})

test('texts in the list of a telling argument are texts of the call', () => {
  const subject = subjectOf({ name: 'read_files', args: { query: 'x', path: ['a', 'b'] } }, undefined)
  expect(subject).toMatchObject({ texts: ['x', 'a', 'b'], telling: true, more: true })
})

test('where no argument has a telling name every text counts', () => {
  const subject = subjectOf({ name: 'say', args: { one: 'a', two: 'b', n: 3 } }, undefined)
  expect(subject).toMatchObject({ texts: ['a', 'b'], telling: false })
})

test('a bare pattern covers a call whose texts nobody knows; one about arguments does not', () => {
  const subject = shell('ls; rm x')
  expect(covers(parsePattern('shell'), subject, undefined)).toBe(true)
  expect(covers(parsePattern('shell(ls *)'), subject, undefined)).toBe(false)
})

test.each(['ls; rm x', 'sudo rm x', 'FOO=1 rm x', '/bin/rm x', 'echo $(rm x)', "r''m x"])(
  'a rule against rm forbids `%s`',
  command => {
    expect(forbids(parsePattern('shell(rm *)'), shell(command))).toBe(true)
  },
)

test('a rule against git push also forbids one with options before it', () => {
  expect(forbids(parsePattern('shell(git push *)'), shell('git -C /tmp push; ls'))).toBe(true)
})

test('a place that a link leads to is a text of its own; one that the call names itself is not', () => {
  const places = () => ['.git/hooks/x', '/work/.git/hooks/x']
  const texts = (path: string) => subjectOf({ name: 'write_file', args: { path } }, undefined, places).texts
  expect(texts('src/link/x')).toEqual(['src/link/x', '.git/hooks/x'])
  for (const path of ['.git/hooks/x', './.git//hooks/x', '/work/.git/hooks/x']) expect(texts(path)).toEqual([path])
})

test.each(['write_file(.git/*)', 'write_file(path=.git/*)', 'write_file(/work/*)'])(
  '%s forbids what leads there by a link',
  pattern => {
    const places = () => ['.git/hooks/x', '/work/.git/hooks/x']
    const subject = subjectOf({ name: 'write_file', args: { path: 'src/link/x' } }, undefined, places)
    expect(forbids(parsePattern(pattern), subject)).toBe(true)
  },
)

test('a query that is called like the place does not hide that a link leads there', () => {
  const args = { path: 'src/link', query: '.env' }
  const subject = subjectOf({ name: 'find', args }, undefined, () => ['.env', '/work/.env'])
  expect(subject.texts.every(text => covers(parsePattern('find(path=src/*)'), subject, text))).toBe(false)
})

test('a forbidden text may be anywhere in the arguments', () => {
  const subject = subjectOf({ name: 'send', args: { path: 'x', deep: { list: ['secret'] } } }, undefined)
  expect(forbids(parsePattern('send(secret)'), subject)).toBe(true)
})

test('a command that its shell has yet to expand may be forbidden in the end', () => {
  const analysed = subjectOf({ name: 'shell', args: { command: 'r? x' } }, () => ['r? x'])
  expect(mayForbid(parsePattern('shell(rm *)'), analysed)).toBe(true)
  expect(mayForbid(parsePattern('shell(ls *)'), analysed)).toBe(false)
  expect(mayForbid(parsePattern('shell'), analysed)).toBe(false)
})
