import { expect, test } from 'vitest'
import { rulesInForce, withoutRule, withPermission, withRule } from './rule-lists.ts'

const none = { user: {}, project: {}, harmless: ['read_file'] }
const own = { user: { allow: ['add', 'shell(git *)'], deny: ['shell'] }, project: {}, harmless: ['read_file'] }

test('harmless tools are allowed until the user has rules of their own', () => {
  expect(rulesInForce(none).allow).toEqual(['read_file'])
  expect(rulesInForce(own).allow).toEqual(['add', 'shell(git *)'])
  expect(rulesInForce({ ...none, user: { ask: [] } }).allow).toEqual([])
})

test.each([
  { name: 'a first allowed one', rules: none, list: 'allow', change: { allow: ['read_file', 'x'] } },
  { name: 'a first asked one', rules: none, list: 'ask', change: { allow: ['read_file'], ask: ['x'] } },
  { name: 'a first denied one', rules: none, list: 'deny', change: { deny: ['x'] } },
  { name: 'one more', rules: own, list: 'deny', change: { deny: ['shell', 'x'] } },
] as const)('$name keeps what holds otherwise', ({ rules, list, change }) => {
  expect(withRule(rules, list, 'x')).toEqual(change)
})

test('a rule that is there is not added again, and one is taken out of its list alone', () => {
  expect(withRule(own, 'deny', 'shell')).toEqual({})
  expect(withoutRule(own, 'allow', 'add')).toEqual({ allow: ['shell(git *)'] })
})

test.each([
  { tool: 'shell', decision: 'allow', change: { allow: ['add', 'shell(git *)', 'shell'], deny: [] } },
  { tool: 'add', decision: 'deny', change: { allow: ['shell(git *)'], deny: ['shell', 'add'] } },
  { tool: 'add', decision: 'allow', change: {} },
] as const)('$tool becomes $decision by its name alone', ({ tool, decision, change }) => {
  expect(withPermission(own, tool, decision)).toEqual(change)
})

test('asking about one tool does not end the harmless ones', () => {
  expect(withPermission(none, 'add', 'ask')).toEqual({ ask: ['add'], allow: ['read_file'] })
  expect(withPermission(none, 'read_file', 'ask')).toEqual({ ask: ['read_file'], allow: [] })
})
