import { createAgent, type ResultPart, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { approval } from './approval.ts'
import { mergeRules, type PermissionRules } from './rules.ts'
import type { Parts } from './subject.ts'

/** What becomes of a call: it runs, a person is asked, or it is blocked. */
async function decide(rules: PermissionRules, name: string, args: unknown, parts?: Parts) {
  let asked = false
  const guard = approval({
    ...rules,
    ...(parts ? { parts } : {}),
    answers: () => {
      asked = true
      return 'allow'
    },
  })
  const model = scriptedModel([{ calls: [{ name, args }] }, 'done'])
  const { messages } = await createAgent({ model, tools: [tool({ name, run: () => 'ran' })], use: [guard] }).send('?')
  const status = (messages[2]?.content[0] as ResultPart | undefined)?.status
  return asked ? 'ask' : status === 'ok' ? 'allow' : status
}

const sh = (command: string) => ({ name: 'shell', args: { command } })
const read = (path: string) => ({ name: 'read_file', args: { path } })

test.each<{ rules: PermissionRules; call: { name: string; args: unknown }; gives: string }>([
  // without rules, and by name
  { rules: {}, call: read('a'), gives: 'ask' },
  { rules: { allow: ['read_file'] }, call: read('a'), gives: 'allow' },
  { rules: { allow: ['read_*'] }, call: read('a'), gives: 'allow' },
  { rules: { allow: ['read_file'] }, call: { name: 'read_file2', args: {} }, gives: 'ask' },
  { rules: { deny: ['*'], allow: ['read_file'] }, call: read('a'), gives: 'blocked' },
  // deny over ask over allow; a star is for the rest
  { rules: { allow: ['read_file'], ask: ['*'], deny: ['shell(rm *)'] }, call: read('a'), gives: 'allow' },
  { rules: { allow: ['read_file'], ask: ['*'], deny: ['shell(rm *)'] }, call: sh('ls'), gives: 'ask' },
  { rules: { allow: ['read_file'], ask: ['*'], deny: ['shell(rm *)'] }, call: sh('rm -rf /'), gives: 'blocked' },
  { rules: { allow: ['shell'], ask: ['shell(git push *)'] }, call: sh('git push origin'), gives: 'ask' },
  { rules: { allow: ['shell'], ask: ['shell(git push *)'] }, call: sh('git pull'), gives: 'allow' },
  { rules: { allow: ['*'] }, call: sh('anything'), gives: 'allow' },
  { rules: { allow: ['*'], ask: ['*'] }, call: sh('anything'), gives: 'ask' },
  // arguments
  { rules: { allow: ['shell(git *)'] }, call: sh('git status'), gives: 'allow' },
  { rules: { allow: ['shell(git *)'] }, call: sh('git'), gives: 'allow' },
  { rules: { allow: ['shell(git *)'] }, call: sh('gitk'), gives: 'ask' },
  { rules: { allow: ['read_file(/work/*)'] }, call: read('/work/a.txt'), gives: 'allow' },
  { rules: { allow: ['read_file(/work/*)'] }, call: read('/work/../etc/passwd'), gives: 'ask' },
  { rules: { allow: ['read_file'] }, call: read('../a'), gives: 'allow' },
  {
    rules: { allow: ['copy(/work/*)'] },
    call: { name: 'copy', args: { from: '/work/a', to: '/etc/b' } },
    gives: 'ask',
  },
  {
    rules: { allow: ['copy(/work/*)'] },
    call: { name: 'copy', args: { from: '/work/a', to: '/work/b' } },
    gives: 'allow',
  },
  {
    rules: { deny: ['post(*secret*)'] },
    call: { name: 'post', args: { body: { deep: ['a secret'] } } },
    gives: 'blocked',
  },
  {
    rules: { allow: ['fetch(url=https://example.com/*)'] },
    call: { name: 'fetch', args: { url: 'https://example.com/a', from: 'x' } },
    gives: 'allow',
  },
  {
    rules: { allow: ['fetch(url=https://example.com/*)'] },
    call: { name: 'fetch', args: { url: 'https://example.com.evil.org/' } },
    gives: 'ask',
  },
  { rules: { allow: ['shell(echo \\*)'] }, call: sh('echo a'), gives: 'ask' },
  // lines that a shell would take apart
  ...[
    'git status; rm -rf /',
    'git status && rm x',
    'git log | sh',
    'git $(rm x)',
    'git `rm x`',
    'git log > /etc/passwd',
  ].flatMap(line => [{ rules: { allow: ['shell(git *)'] }, call: sh(line), gives: 'ask' }]),
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('ls; rm -rf /'), gives: 'blocked' },
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('sudo /bin/rm -rf /'), gives: 'blocked' },
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('r\\m -rf /'), gives: 'blocked' },
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('$(echo cm0= | base64 -d) -rf /'), gives: 'ask' },
  { rules: { allow: ['shell'] }, call: sh('make && ./run > log'), gives: 'allow' },
])('$rules · $call.args · $gives', async ({ rules, call, gives }) => {
  expect(await decide(rules, call.name, call.args)).toBe(gives)
})

test.each<{ found: readonly string[] | 'unknown'; rules: PermissionRules; gives: string }>([
  { found: ['git add .', 'git commit'], rules: { allow: ['shell(git *)'] }, gives: 'allow' },
  { found: ['git add .', 'npm test'], rules: { allow: ['shell(git *)'] }, gives: 'ask' },
  { found: ['git add .', 'npm test'], rules: { allow: ['shell(git *)', 'shell(npm test)'] }, gives: 'allow' },
  { found: ['git add .', 'rm x'], rules: { allow: ['shell'], deny: ['shell(rm *)'] }, gives: 'blocked' },
  { found: 'unknown', rules: { allow: ['shell(*)'] }, gives: 'ask' },
  { found: 'unknown', rules: { allow: ['shell'], deny: ['shell(rm *)'] }, gives: 'ask' },
  { found: 'unknown', rules: { deny: ['shell'] }, gives: 'blocked' },
])('with an analyser that finds $found, $rules gives $gives', async ({ found, rules, gives }) => {
  expect(await decide(rules, 'shell', { command: 'whatever' }, () => found)).toBe(gives)
})

test.each<{ user: PermissionRules; project: PermissionRules; gives: string }>([
  { user: {}, project: { allow: ['*'] }, gives: 'ask' },
  { user: { allow: ['read_file'] }, project: {}, gives: 'allow' },
  { user: { allow: ['read_file'] }, project: { allow: ['other'] }, gives: 'allow' },
  { user: { allow: ['read_file'] }, project: { ask: ['*'] }, gives: 'ask' },
  { user: { allow: ['read_file'] }, project: { ask: ['*'], allow: ['read_file'] }, gives: 'allow' },
  { user: { allow: ['read_file'] }, project: { deny: ['read_file(secret*)'] }, gives: 'blocked' },
  { user: { deny: ['read_file'] }, project: { allow: ['read_file'] }, gives: 'blocked' },
])('a project only tightens: $user with $project gives $gives', async ({ user, project, gives }) => {
  expect(await decide(mergeRules(user, project), 'read_file', { path: 'secret.txt' })).toBe(gives)
})

test.each(['', 'shell(', 'two words', 'shell(a) b'])('"%s" is refused as a pattern, with the fix', pattern => {
  expect(() => approval({ allow: [pattern] })).toThrow(/is no permission pattern/)
})
