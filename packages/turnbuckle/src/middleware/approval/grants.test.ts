import { createAgent, type PermissionAnswer, tool } from 'turnbuckle'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { commandParts } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { type ApprovalOptions, approval } from './approval.ts'
import { fingerprint } from './fingerprint.ts'
import { memoryPermissions } from './grants.ts'

/** Agents over one store, each with a tool of its own making. */
function setting(options: ApprovalOptions = {}) {
  const clock = virtualClock()
  const store = memoryPermissions()
  const ids = sequentialIds()
  const run = async (description: string, answer: PermissionAnswer, more: ApprovalOptions = {}, name = 'send') => {
    let asked = false
    const answers = () => {
      asked = true
      return answer
    }
    const model = scriptedModel([{ calls: [{ name, args: { text: 'hi' } }] }, 'done'])
    const agent = createAgent({
      model,
      tools: [tool({ name, description, run: () => 'sent' })],
      use: [approval({ store, ...options, ...more, answers })],
      clock,
      ids,
    })
    const { messages } = await agent.send('?')
    const result = messages.flatMap(({ content }) => content).find(part => part.type === 'result')
    return { asked, status: result?.status }
  }
  return { clock, store, run }
}

const always: PermissionAnswer = { decision: 'allow', scope: 'always' }

test('grants are listed and revoked', async () => {
  const { store, run } = setting()
  await run('v1', { ...always, by: 'alice', reason: 'ok' })
  const [grant] = await store.list()
  expect(grant).toMatchObject({
    id: 'grant_1',
    tool: 'send',
    pattern: 'send',
    scope: 'always',
    by: 'alice',
    reason: 'ok',
  })
  expect((await run('v1', always)).asked).toBe(false)
  expect(await store.revoke('grant_1')).toBe(true)
  expect(await store.revoke('grant_1')).toBe(false)
  expect((await run('v1', always)).asked).toBe(true)
})

test('a tool that changed since is asked about again; a no holds all the same', async () => {
  const { run } = setting()
  await run('v1', always)
  expect(await run('v2, now with more', always)).toEqual({ asked: true, status: 'ok' })
  await run('v1', { decision: 'deny', scope: 'always' }, {}, 'other')
  expect(await run('v2', always, {}, 'other')).toEqual({ asked: false, status: 'denied' })
})

test.each<{ options: ApprovalOptions; answer: PermissionAnswer; after: number; asked: boolean }>([
  { options: { expires: 1000 }, answer: always, after: 999, asked: false },
  { options: { expires: 1000 }, answer: always, after: 1000, asked: true },
  { options: { expires: 1000 }, answer: { ...always, expires: 10 }, after: 10, asked: true },
  { options: { expires: 1000 }, answer: { ...always, expires: 5000 }, after: 1000, asked: true },
  { options: { uses: 1 }, answer: always, after: 0, asked: true },
])('a grant expires: $options $answer.expires after $after ms', async ({ options, answer, after, asked }) => {
  const { clock, run } = setting(options)
  await run('v1', answer)
  await clock.advance(after)
  expect((await run('v1', answer)).asked).toBe(asked)
})

test.each([
  { name: 'as long as it counts', wait: 999, uses: 0, listed: 1 },
  { name: 'no more once it has expired', wait: 1000, uses: 0, listed: 0 },
  { name: 'no more once it is used up', wait: 0, uses: 2, listed: 0 },
])('a grant is listed $name', async ({ wait, uses, listed }) => {
  const { clock, store, run } = setting({ expires: 1000, uses: 3 })
  await run('v1', always)
  for (let i = 0; i < uses; i++) await run('v1', always)
  await clock.advance(wait)
  expect(await store.list()).toHaveLength(listed)
})

test('a store of memory goes by the time of day until somebody says otherwise', () => {
  const grant = {
    decision: 'allow',
    scope: 'always',
    tool: 't',
    pattern: 't',
    patterns: ['t'],
    fingerprint: '',
  } as const
  const store = memoryPermissions([
    { ...grant, id: 'over', createdAt: 0, expiresAt: 1 },
    { ...grant, id: 'standing', createdAt: 0, expiresAt: Date.now() + 60_000 },
  ])
  expect(store.list()).toMatchObject([{ id: 'standing' }])
})

test.each<{ scope: NonNullable<PermissionAnswer['scope']>; first?: string; second?: string; asked: boolean }>([
  { scope: 'conversation', asked: true },
  { scope: 'project', first: 'a', second: 'a', asked: false },
  { scope: 'project', first: 'a', second: 'b', asked: true },
  { scope: 'project', asked: true },
  { scope: 'always', first: 'a', second: 'b', asked: false },
])('in another conversation $scope ($first, then $second) asks: $asked', async ({ scope, first, second, asked }) => {
  const { run } = setting()
  await run('v1', { decision: 'allow', scope }, first ? { project: first } : {})
  expect((await run('v1', always, second ? { project: second } : {})).asked).toBe(asked)
})

test('each conversation can have a store of its own', async () => {
  const stores = new Map([['alice', memoryPermissions()], ['bob', memoryPermissions()]]) // biome-ignore format: a pair
  const model = scriptedModel([{ calls: [{ name: 'send' }] }, 'done'], { repeat: true })
  const guard = approval({ store: ({ id }) => stores.get(id) ?? memoryPermissions(), answers: () => always })
  const agent = createAgent({ model, tools: [tool({ name: 'send', run: () => 1 })], use: [guard] })
  await agent.conversation('alice').send('?')
  expect([(await stores.get('alice')?.list())?.length, (await stores.get('bob')?.list())?.length]).toEqual([1, 0])
})

/** The calls that a person was asked about, each of them allowed for the conversation. */
async function askedAbout(name: string, calls: readonly object[]) {
  const asked: unknown[] = []
  const model = scriptedModel([...calls.map(args => ({ calls: [{ name, args }] })), 'done'])
  const guard = approval({
    parts: commandParts,
    answers: ({ args }) => {
      asked.push(args)
      return { decision: 'allow', scope: 'conversation' }
    },
  })
  const agent = createAgent({ model, tools: [tool({ name, run: () => 'ran' })], use: [guard] })
  await agent.send('?')
  return asked
}

test.each<{ name: string; calls: object[] }>([
  {
    name: 'run',
    calls: [
      { command: 'npm', args: ['test'] },
      { command: 'npm', args: ['publish'] },
    ],
  },
  { name: 'run', calls: [{ command: 'bash' }, { command: 'bash', args: ['-c', 'rm -rf x'] }] },
  { name: 'http', calls: [{ url: 'https://example.com/' }, { url: 'https://example.com/', method: 'DELETE' }] },
  {
    name: 'read_files',
    calls: [
      { query: 'x', path: ['a.txt'] },
      { query: 'x', path: ['/etc/shadow'] },
    ],
  },
  { name: 'read_files', calls: [{ path: ['a.txt'] }, { path: ['a.txt', '/etc/shadow'] }] },
  {
    name: 'move',
    calls: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ],
  },
  { name: 'say', calls: [{ path: 'a' }, { path: 'a', loud: true }] },
  { name: 'shell', calls: [{ command: 'git fetch origin main' }, { command: "git fetch --upload-pac='touch x' ." }] },
  { name: 'shell', calls: [{ command: 'git grep foo src' }, { command: "git grep --ope='touch x' foo" }] },
  { name: 'shell', calls: [{ command: 'git log -1 -p' }, { command: 'git log -1 --output=package.json' }] },
  { name: 'shell', calls: [{ command: 'git diff HEAD a' }, { command: 'git diff HEAD --output .git/hooks/x' }] },
  ...['--import=data:text/javascript,1', '-r ./x.cjs', '--env-file=x', '--test-reporter=./x.js', '/tmp/x.js'].map(
    option => ({
      name: 'shell',
      calls: [{ command: 'node --test a.js' }, { command: `node --test ${option} a.js` }],
    }),
  ),
  { name: 'shell', calls: [{ command: 'sort -u a' }, { command: 'sort -u a -o package.json' }] },
  { name: 'shell', calls: [{ command: 'sort -u a' }, { command: 'sort -u a --outpu=package.json' }] },
  { name: 'shell', calls: [{ command: 'npx vitest run a' }, { command: 'npx vitest run a --config ./x.js' }] },
  { name: 'shell', calls: [{ command: 'npm run build a' }, { command: 'npm run build a --prefix ../x' }] },
  { name: 'shell', calls: [{ command: 'npm install a' }, { command: 'npm install b' }] },
  { name: 'shell', calls: [{ command: 'make test a' }, { command: 'make test SHELL=./x' }] },
  { name: 'shell', calls: [{ command: 'uniq -c a' }, { command: 'uniq -c a package.json' }] },
  { name: 'shell', calls: [{ command: 'date -u +%F' }, { command: 'date -u -s 2020-01-01' }] },
])('a yes to the first of $calls is none to the second', async ({ name, calls }) =>
  expect(await askedAbout(name, calls)).toEqual(calls),
)

test.each<{ name: string; calls: object[] }>([
  {
    name: 'write_file',
    calls: [
      { path: 'a', content: 'x' },
      { path: 'a', content: 'y' },
    ],
  },
  { name: 'read_files', calls: [{ path: ['a', 'b'] }, { path: ['b'] }] },
  { name: 'shell', calls: [{ command: 'npm test' }, { command: 'npm test', timeout: 9 }] },
  { name: 'shell', calls: [{ command: 'node --test a.js' }, { command: 'node --test --watch src/b.js' }] },
  { name: 'shell', calls: [{ command: 'sort -u a' }, { command: 'sort -u b c' }] },
  ...[
    ['npx eslint src', 'npx eslint test --quiet'],
    ['npx jest a', 'npx jest b --ci'],
    ['yarn jest a', 'yarn jest b'],
    ['pnpm vitest run a', 'pnpm vitest run b'],
    ['pytest tests/a.py', 'pytest -q tests/b.py'],
    ['npm test -- a', 'npm test -- b --watch'],
    ['git log -1 --oneline', 'git log -5 --stat src'],
    ['cargo test a', 'cargo test --release b'],
  ].map(([first, second]) => ({ name: 'shell', calls: [{ command: first }, { command: second }] })),
])('a yes to the first of $calls is one to the second', async ({ name, calls }) =>
  expect(await askedAbout(name, calls)).toEqual(calls.slice(0, 1)),
)

test('a yes that an older version kept covers no more than a new one', async () => {
  const shell = tool({ name: 'shell', run: () => 'ran' })
  const grant = { decision: 'allow', scope: 'always', tool: 'shell', createdAt: 0, id: 'grant_1' } as const
  const patterns = ['shell(sort *)', 'shell(node *)']
  const store = memoryPermissions([{ ...grant, pattern: 'x', patterns, fingerprint: fingerprint(shell) }])
  const asked: unknown[] = []
  const commands = ['sort a', 'sort a -o b', 'node --test a.js', 'node --test -r ./x a.js']
  const model = scriptedModel([...commands.map(command => ({ calls: [{ name: 'shell', args: { command } }] })), 'done'])
  const answers: ApprovalOptions['answers'] = ({ args }) => {
    asked.push((args as { command: string }).command)
    return { decision: 'deny' }
  }
  await createAgent({ model, tools: [shell], use: [approval({ store, parts: commandParts, answers })] }).send('?')
  expect(asked).toEqual([commands[1], commands[3]])
})
