import { createAgent, type ResultPart, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { commandParts } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { approval } from './approval.ts'
import { fingerprint } from './fingerprint.ts'
import { type Grant, memoryPermissions } from './grants.ts'
import { compile, mergeRules, type PermissionRules } from './rules.ts'
import type { Parts, Subject } from './subject.ts'

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
  ...['https://example.com.evil.org/', 'https://example.com@evil.org/'].map(url => ({
    rules: { allow: ['fetch(https://example.com*)'] },
    call: { name: 'fetch', args: { url } },
    gives: 'ask' as const,
  })),
  ...[{ directory: './.env' }, { paths: ['./.env'] }].map(more => ({
    rules: { allow: ['grep'], deny: ['grep(.env)'] },
    call: { name: 'grep', args: { query: 'x', ...more } },
    gives: 'blocked' as const,
  })),
  {
    rules: { allow: ['browse'], deny: ['browse(file:///*)'] },
    call: { name: 'browse', args: { url: 'file:/etc/passwd' } },
    gives: 'blocked',
  },
  {
    rules: { allow: ['fetch(*://example.com/*)'] },
    call: { name: 'fetch', args: { url: 'https://evil.org/?://example.com/' } },
    gives: 'ask',
  },
  {
    rules: { allow: ['fetch(url=https://*.example.com/*)'] },
    call: { name: 'fetch', args: { url: 'https://evil.org/?.example.com/' } },
    gives: 'ask',
  },
  { rules: { allow: ['shell(echo \\*)'] }, call: sh('echo a'), gives: 'ask' },
  // a detour lifts no rule that denies or asks
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('rm -rf src/../src'), gives: 'blocked' },
  { rules: { allow: ['shell'], ask: ['shell(git push *)'] }, call: sh('git push ../x/../y'), gives: 'ask' },
  ...['.env', './.env', 'src/../.env', 'src//..//.env', '.env/', 'src\\..\\.env'].flatMap(path => [
    { rules: { allow: ['read_file'], deny: ['read_file(.env)'] }, call: read(path), gives: 'blocked' },
    { rules: { allow: ['read_file'], deny: ['read_file(path=.env)'] }, call: read(path), gives: 'blocked' },
    { rules: { allow: ['read_file'], ask: ['read_file(*.env)'] }, call: read(path), gives: 'ask' },
  ]),
  { rules: { allow: ['read_file'], deny: ['read_file(.env)'] }, call: read('.env.example'), gives: 'allow' },
  {
    rules: { allow: ['fetch'], deny: ['fetch(https://example.com/*)'] },
    call: { name: 'fetch', args: { url: 'https://x@EXAMPLE.com:443/a' } },
    gives: 'blocked',
  },
  // the rule may be spelt in another way too
  { rules: { allow: ['read_file'], deny: ['read_file(./secrets/*)'] }, call: read('secrets/x'), gives: 'blocked' },
  ...['https://EXAMPLE.com/*', 'https://example.com:443/*', 'https://example.com'].map(rule => ({
    rules: { allow: ['fetch'], deny: [`fetch(${rule})`] },
    call: { name: 'fetch', args: { url: 'https://example.com/' } },
    gives: 'blocked',
  })),
  // a yes to an address is one to what is asked for
  ...['a', '%2e%2e/admin', '.%2e/admin', '.\t./admin'].flatMap(rest =>
    ['fetch(http://e.test/pub/*)', 'fetch(url=http://e.test/pub/*)'].map(rule => ({
      rules: { allow: [rule] },
      call: { name: 'fetch', args: { url: `http://e.test/pub/${rest}` } },
      gives: rest === 'a' ? 'allow' : 'ask',
    })),
  ),
  {
    rules: { allow: ['fetch(http://E.test)'] },
    call: { name: 'fetch', args: { url: 'http://E.test' } },
    gives: 'allow',
  },
  // commands and contents are no paths
  { rules: { allow: ['shell'], deny: ['shell(rm *)'] }, call: sh('cat a/../rm notes'), gives: 'allow' },
  {
    rules: { allow: ['write_file'], deny: ['write_file(src/*)'] },
    call: { name: 'write_file', args: { path: 'list.txt', content: './src/a.ts\nfoo' } },
    gives: 'allow',
  },
  // a rule about the argument `command` is one about every command in it
  { rules: { allow: ['shell(command=git *)'] }, call: sh('git status'), gives: 'allow' },
  { rules: { allow: ['shell(command=git *)'] }, call: sh('git --version; echo PWNED'), gives: 'ask' },
  { rules: { allow: ['shell'], deny: ['shell(command=rm *)'] }, call: sh('ls; rm x'), gives: 'blocked' },
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
  ...['git -C . push', 'git -c a.b=c --no-pager push -f', '/bin/git --git-dir x -P push'].map(line => ({
    rules: { allow: ['shell'], deny: ['shell(git push *)'] },
    call: sh(line),
    gives: 'blocked',
  })),
  { rules: { allow: ['shell'], deny: ['shell(git push *)'] }, call: sh('git -C push pull'), gives: 'allow' },
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
  { found: ['git add .', 'npm test'], rules: { allow: ['shell(command=git *)'] }, gives: 'ask' },
  { found: ['git add .', 'git commit'], rules: { allow: ['shell(command=git *)'] }, gives: 'allow' },
  { found: 'unknown', rules: { allow: ['shell(command=*)'] }, gives: 'ask' },
  { found: 'unknown', rules: { allow: ['shell(*)'] }, gives: 'ask' },
  { found: 'unknown', rules: { allow: ['shell'], deny: ['shell(rm *)'] }, gives: 'ask' },
  { found: 'unknown', rules: { deny: ['shell'] }, gives: 'blocked' },
])('with an analyser that finds $found, $rules gives $gives', async ({ found, rules, gives }) => {
  expect(await decide(rules, 'shell', { command: 'whatever' }, () => found)).toBe(gives)
})

test.each<{ line: string; deny: string; gives: string }>([
  // Where there is a file `push`, the shell makes one of these of it.
  ...[
    'git pus?',
    'git p*',
    'git *',
    'git p[u]sh',
    'git pus[]h]',
    'git pus[!]a]',
    'git pus[[:lower:]]',
    'git pus["h "]',
    'git {push,-f}',
    'git $(echo push)',
    'git $DO',
    'git `echo push`',
  ].map(line => ({ line, deny: 'shell(git push *)', gives: 'ask' })),
  { line: 'rm *', deny: 'shell(rm -rf *)', gives: 'ask' },
  { line: 'rm a* b', deny: 'shell(rm -rf *)', gives: 'allow' },
  { line: 'rm *.log', deny: 'shell(rm -rf *)', gives: 'allow' },
  { line: 'rm -?f x', deny: 'shell(rm -rf *)', gives: 'ask' },
  { line: 'rm -* x', deny: 'shell(rm -r -f *)', gives: 'ask' },
  { line: 'cat ~/.ssh/id', deny: 'shell(cat /root/*)', gives: 'ask' },
  { line: 'cat *.txt', deny: 'shell(*secret*)', gives: 'ask' },
  { line: 'cat a.txt', deny: 'shell(*secret*)', gives: 'allow' },
  { line: 'git pull *.ts', deny: 'shell(git push *)', gives: 'allow' },
  { line: 'git commit -m "$TEXT"', deny: 'shell(git push *)', gives: 'allow' },
  { line: 'git push', deny: 'shell(git push *)', gives: 'blocked' },
  { line: 'git -C . push', deny: 'shell(git push *)', gives: 'blocked' },
  { line: 'git -C . pus?', deny: 'shell(git push *)', gives: 'ask' },
])('what a shell may make of $line is asked about where $deny is denied: $gives', async ({ line, deny, gives }) => {
  const { name, args } = sh(line)
  expect(await decide({ allow: ['shell'], deny: [deny] }, name, args, commandParts)).toBe(gives)
})

const everyRun: Grant = {
  id: 'grant_1',
  decision: 'allow',
  scope: 'always',
  tool: 'shell',
  pattern: 'shell(npm run *)',
  patterns: ['shell(npm run *)'],
  fingerprint: '',
  createdAt: 0,
}

test.each<{ line: string; decided: string }>([
  { line: 'npm run b', decided: 'allow' },
  { line: 'npm run pus?', decided: 'ask' },
  { line: 'eval npm run push', decided: 'ask' },
])('a yes for the commands of a program does not cover what may be denied: $line', async ({ line, decided }) => {
  const agent = (command: string) => {
    const model = scriptedModel([{ calls: [sh(command)] }, 'done'])
    return createAgent({ model, tools: [shellTool], use: [guard] })
  }
  const shellTool = tool({ name: 'shell', run: () => 'ran' })
  const scopes: (readonly string[])[] = []
  const guard = approval({
    deny: ['shell(npm run push *)'],
    store: memoryPermissions([{ ...everyRun, fingerprint: fingerprint(shellTool) }]),
    parts: commandParts,
    answers: question => {
      scopes.push(question.scopes)
      return { decision: 'allow' }
    },
  })
  await agent(line).send('?')
  expect(scopes).toEqual(decided === 'ask' ? [['once']] : [])
})

test('a call of many commands is looked through once for each rule, not once for each command', () => {
  const texts = Array.from({ length: 1000 }, (_, i) => `cat ${i}?`)
  let looked = 0
  const subject: Subject = {
    ...{ name: 'shell', args: {}, everywhere: texts, commands: texts, plain: [], places: [], ledTo: undefined },
    ...{ unknown: false, command: true, telling: true, more: false },
    get texts() {
      looked++
      return texts
    },
  }
  const rules = compile({ allow: ['shell'], ask: ['shell(git push *)', 'shell(npm *)'], deny: ['shell(rm *)'] })
  expect(rules.denied(subject)).toBeUndefined()
  expect(rules.doubtful(subject)).toBe(false)
  expect(texts.every(text => rules.allowed(subject, text))).toBe(true)
  expect(looked).toBe(3)
})

test.each<{ what: string; args: object; parts?: Parts; gives: string }>([
  { what: 'text', args: { command: 'cat', text: 'ab'.repeat(100_000) }, gives: 'allow' },
  { what: 'line', args: { command: 'x' }, parts: () => ['*'.repeat(200_000)], gives: 'ask' },
])(
  'a rule with many stars is checked against a long $what without going back in it',
  async ({ args, parts, gives }) => {
    expect(await decide({ allow: ['shell'], deny: ['shell(*a*b*a*b*c*)'] }, 'shell', args, parts)).toBe(gives)
  },
)

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
  expect(() => approval({ allow: [pattern] })).toThrow(/is not a permission pattern/)
})
