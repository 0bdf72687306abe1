import { expect, test } from 'vitest'
import { matchesRule, matchesValue } from './matches-hook.ts'

test.each([
  ['*', 'Bash', true],
  ['', 'Bash', true],
  [undefined, 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Edit|Write', 'Write', true],
  ['Edit, Write', 'Write', true],
  ['code-reviewer', 'senior-code-reviewer', false],
  ['^Notebook', 'NotebookEdit', true],
  ['Edit.*', 'NotebookEdit', true],
  ['^Edit$', 'NotebookEdit', false],
  ['mcp__memory__.*', 'mcp__memory__create', true],
  ['mcp__memory', 'mcp__memory__create', false],
  ['mcp__.*__write.*', 'mcp__files__write_all', true],
  ['(', 'Bash', false],
])('the matcher %s and %s: %s', (matcher, value, fits) => expect(matchesValue(matcher, value)).toBe(fits))

test('a comma in a matcher of StopFailure makes it a regular expression', () => {
  expect(matchesValue('rate_limit, overloaded', 'overloaded', 'StopFailure')).toBe(false)
  expect(matchesValue('rate_limit|overloaded', 'overloaded', 'StopFailure')).toBe(true)
})

test.each([
  ['Bash(git *)', 'FOO=bar git push', true],
  ['Bash(git *)', 'npm test && git push', true],
  ['Bash(rm *)', 'echo $(rm -rf /)', true],
  ['Bash(rm *)', 'echo $(date)', false],
  ['Bash(git push *)', 'echo $(date)', true],
  ['Bash(git push *)', 'echo done', false],
  ['Bash(git:*)', 'git status', true],
  ['Bash', 'anything', true],
  ['Edit(*)', 'git status', false],
  ['Bash(rm *)', 'for f in *; do rm "$f"; done', true],
])('the rule %s and the command %s: %s', (rule, command, fits) =>
  expect(matchesRule(rule, { tool: 'Bash', input: { command } }, '/project')).toBe(fits),
)

test.each([
  ['Edit(*.ts)', '/project/src/deep/a.ts', true],
  ['Edit(*.ts)', '/project/a.js', false],
  ['Edit(src/**)', '/project/src/deep/a.ts', true],
  ['Edit(src/**)', '/project/lib/src/a.ts', false],
  ['Edit(**/src/**)', '/project/lib/src/a.ts', true],
  ['Edit(//etc/**)', '/etc/hosts', true],
  ['Edit(/src/*)', '/project/src/a.ts', true],
  ['Write(*.ts)', '/project/a.ts', false],
])('the rule %s and the file %s: %s', (rule, file_path, fits) =>
  expect(matchesRule(rule, { tool: 'Edit', input: { file_path } }, '/project')).toBe(fits),
)

test('other tools are matched by their host or their first argument', () => {
  const fetched = { tool: 'WebFetch', input: { url: 'https://example.com/a' } }
  expect(matchesRule('WebFetch(domain:example.com)', fetched, '/')).toBe(true)
  expect(matchesRule('WebFetch(domain:example.org)', fetched, '/')).toBe(false)
  expect(matchesRule('mcp__github__*', { tool: 'mcp__github__search', input: {} }, '/')).toBe(true)
  expect(matchesRule('Skill(deploy *)', { tool: 'Skill', input: { skill: 'deploy prod' } }, '/')).toBe(true)
})
