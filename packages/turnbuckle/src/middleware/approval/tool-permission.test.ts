import { expect, test } from 'vitest'
import { mergeRules, type PermissionRules } from './rules.ts'
import { toolPermission } from './tool-permission.ts'

test.each<{ rules: PermissionRules; gives: ReturnType<typeof toolPermission> }>([
  { rules: {}, gives: { decision: 'ask', rules: [] } },
  { rules: { allow: ['shell'] }, gives: { decision: 'allow', rules: [] } },
  { rules: { allow: ['*'], ask: ['*'] }, gives: { decision: 'ask', rules: [] } },
  { rules: { allow: ['shell'], deny: ['*'] }, gives: { decision: 'deny', rules: [] } },
  {
    rules: { allow: ['shell(git *)', 'read_file(/a/*)'], deny: ['shell(rm *)'] },
    gives: { decision: 'ask', rules: ['deny shell(rm *)', 'allow shell(git *)'] },
  },
  {
    rules: mergeRules({ allow: ['shell'] }, { ask: ['*'], deny: ['shell(curl *)'], allow: ['shell(ls)'] }),
    gives: { decision: 'ask', rules: ['deny shell(curl *)'] },
  },
])('$rules say of a tool: $gives', ({ rules, gives }) => {
  expect(toolPermission(rules, 'shell')).toEqual(gives)
})
