import { expect, test } from 'vitest'
import { findCommand, parseCommand } from './parse-command.ts'

const parse = (...argv: string[]) => {
  const { command, rest } = findCommand(argv)
  return { name: command.name, ...parseCommand(command, rest) }
}

test.each([
  { argv: [], is: { name: 'chat', positionals: [] } },
  { argv: ['--continue'], is: { name: 'chat', values: { continue: true } } },
  { argv: ['run', 'hi', '--json'], is: { name: 'run', positionals: ['hi'], values: { json: true } } },
  { argv: ['list', '-n', '3'], is: { name: 'list', values: { limit: '3' } } },
  { argv: ['replay', 'last', '--with', 'a', '--with', 'b'], is: { name: 'replay', values: { with: ['a', 'b'] } } },
])('$argv is $is', ({ argv, is }) => {
  expect(parse(...argv)).toMatchObject(is)
})

test.each([
  { argv: ['shwo'], says: 'There is no command "shwo". Did you mean "show"?' },
  { argv: ['show'], says: 'Something is missing. Usage: turnbuckle show ID' },
  { argv: ['show', 'a', 'b'], says: '"b" is one word too many. Usage: turnbuckle show ID' },
  { argv: ['hooks', 'lits'], says: '"lits" is not known here. Did you mean "list"?' },
  { argv: ['run', '--jsn'], says: 'There is no option "--jsn". Did you mean "--json"?' },
  { argv: ['list', '--limit'], says: /argument missing.* turnbuckle list --help shows the options\.$/ },
])('$argv: $says', ({ argv, says }) => {
  expect(() => parse(...argv)).toThrow(says)
})
