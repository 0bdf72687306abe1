import { expect, test } from 'vitest'
import { draftedArguments, draftOf, jsonDraft, withText } from './arguments-draft.ts'

test.each([
  { args: { command: 'ls', cwd: '/srv' }, labels: ['Command'] },
  { args: { cmd: 'ls' }, labels: ['Command'] },
  { args: { path: 'a.txt', content: 'Hello' }, labels: ['Path', 'Text'] },
  { args: { file_path: 'a.txt', old_string: 'a', new_string: 'b' }, labels: ['Path', 'Text to replace', 'New text'] },
  { args: { command: ['ls', '-l'] }, labels: [] },
  { args: { text: 'Hello' }, labels: [] },
  { args: { a: 2 }, labels: [] },
  { args: undefined, labels: [] },
  { args: null, labels: [] },
  { args: 'ls', labels: [] },
])('$args is edited by $labels, without any as JSON', ({ args, labels }) => {
  const draft = draftOf(args)
  expect(draft.kind === 'fields' ? draft.fields.map(({ label }) => label) : []).toEqual(labels)
})

test('a changed text takes the place of its argument; the others stay', () => {
  const args = { command: 'ls', cwd: '/srv' }
  const draft = draftOf(args)
  const fields = draft.kind === 'fields' ? draft.fields : []
  expect(draftedArguments(withText(fields, 'command', 'ls -l'), args)).toEqual({
    value: { command: 'ls -l', cwd: '/srv' },
  })
})

test.each([
  { what: 'no draft', draft: undefined, is: {} },
  { what: 'whole JSON', draft: jsonDraft({ a: 2 }), is: { value: { a: 2 } } },
  {
    what: 'JSON that is cut',
    draft: { kind: 'json', text: '{' } as const,
    is: { problem: 'That is not valid JSON yet.' },
  },
  { what: 'no command', draft: draftOf({ command: ' ' }), is: { problem: 'The command is empty.' } },
  { what: 'an empty file', draft: draftOf({ path: 'a', content: '' }), is: { value: { path: 'a', content: '' } } },
])('$what gives $is', ({ draft, is }) => {
  expect(draftedArguments(draft, {})).toEqual(is)
})
