import { expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'

test.each([
  { name: 'nothing', text: '\n  # only this\n', is: undefined },
  { name: 'a map', text: "a: 1\n'b c': yes it is # so\nd:", is: { a: 1, 'b c': 'yes it is', d: null } },
  {
    name: 'truth, numbers and quoted texts',
    text: "a: true\nb: -1.5\nc: \"true\"\nd: 'it''s'",
    is: { a: true, b: -1.5, c: 'true', d: "it's" },
  },
  { name: 'maps in maps', text: '  a:\n      b:\n        c: d\n  e: f', is: { a: { b: { c: 'd' } }, e: 'f' } },
  { name: 'a list below its key', text: 'a:\n  - b\n  - "c # d"', is: { a: ['b', 'c # d'] } },
  { name: 'a list as far out as its key', text: 'a:\n- b\n- c\nd: e', is: { a: ['b', 'c'], d: 'e' } },
  { name: 'lists of maps', text: '- a: b\n  c: d\n-\n  a: e', is: [{ a: 'b', c: 'd' }, { a: 'e' }] },
  {
    name: 'lists of lists of maps',
    text: '- hooks:\n    - type: x\n      timeout: 5\n  matcher: Bash',
    is: [{ hooks: [{ type: 'x', timeout: 5 }], matcher: 'Bash' }],
  },
  {
    name: 'lists and maps in a line',
    text: 'a: [b, 2]\nc: { d: e }\nf: {"g": ["h, i"]}',
    is: { a: ['b', 2], c: { d: 'e' }, f: { g: ['h, i'] } },
  },
  {
    name: 'texts of several lines',
    text: 'a: |\n  one\n  two\nb: >-\n  one\n  two\nc: d',
    is: { a: 'one\ntwo', b: 'one two', c: 'd' },
  },
  { name: 'a colon inside a text', text: 'command: node x:y --a http://b', is: { command: 'node x:y --a http://b' } },
])('reads $name', ({ text, is }) => {
  expect(readYaml(text)).toEqual(is)
})

test('hooks of a skill, as Claude documents them', () => {
  const text = `
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: "./scripts/security-check.sh $TOOL_INPUT"
          once: true
  PostToolUse:
    - matcher: "Edit|Write"
      hooks:
        - type: command
          command: "./scripts/run-linter.sh"`
  expect(readYaml(text)).toEqual({
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: './scripts/security-check.sh $TOOL_INPUT', once: true }],
      },
    ],
    PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: './scripts/run-linter.sh' }] }],
  })
})

test('the key `__proto__` is a member that is shown like any other', () => {
  const read = readYaml('type: command\n__proto__:\n  args: [-c, evil]') as { args?: unknown }
  expect(read.args).toBeUndefined()
  expect(JSON.stringify(read)).toBe('{"type":"command","__proto__":{"args":["-c","evil"]}}')
})
