import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type ResultPart } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { commandEnvironment, type FoundSandbox, findSandbox, type ShellOptions, workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const agent = (args: object, shell: ShellOptions = {}) =>
  createAgent({
    model: scriptedModel([{ calls: [{ name: 'shell', args }] }, 'ok']),
    tools: workspaceTools({ root, files: false, shell }),
  })
async function run(args: object, shell: ShellOptions = {}): Promise<ResultPart> {
  const { messages } = await agent(args, shell).send('go')
  return messages.flatMap(({ content }) => content).find(part => part.type === 'result') as ResultPart
}
/** How long the sleep of a test takes, in seconds: a number that no other process has. In a sandbox process ids are others. */
const sleepOf = (kind: number) => `${100_000 + process.pid}.${kind}`
/** A process that has ended but that nobody has collected yet does not run. */
const isRunning = (seconds: string) =>
  spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .some(line => line.endsWith(`sleep ${seconds}`) && !line.startsWith('Z'))

test.each<[command: string, value: unknown]>([
  ['echo out; echo err >&2', expect.stringMatching(/out[\s\S]*err|err[\s\S]*out/)],
  ['true', '[no output]'],
  ['echo x; exit 3', 'x\n\n[exit code 3]'],
  // In a sandbox the shell's signal is told as a shell tells it.
  ['kill -9 $$', expect.stringMatching(/^\n\[exit code (SIGKILL|137)\]$/)],
  ['cat', '[no output]'],
  ["printf '\\033]0;evil\\007a\\033[31mb\\rc'", 'abc'],
  ['no-such-program-here', expect.stringContaining('[exit code 127]')],
])('%j', async (command, value) => expect((await run({ command })).value).toEqual(value))

test('the beginning and the end of a long output are kept', async () => {
  const { value } = await run({ command: 'echo first; yes | head -c 200000; echo last' }, { maxOutput: 100 })
  expect(value).toMatch(/^first\n[\s\S]*\n\[\d+ characters left out\]\n[\s\S]*last\n$/)
  expect(String(value).length).toBeLessThan(200)
})

test('when the time is up the whole process group ends, and what it had written is told', async () => {
  const seconds = sleepOf(1)
  const command = `echo begun; (trap "" TERM; sleep ${seconds}) & wait`
  const { status, value } = await run({ command, timeout: 2000 })
  expect({ status, value }).toMatchObject({ status: 'timeout', value: expect.stringContaining('begun') })
  await vi.waitUntil(() => !isRunning(seconds), { timeout: 20_000 })
})

test('an interrupt ends the whole process group', async () => {
  const seconds = sleepOf(2)
  const turn = agent({ command: `sleep ${seconds} & wait` }).send('go')
  await vi.waitUntil(() => isRunning(seconds), { timeout: 20_000 })
  turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  await vi.waitUntil(() => !isRunning(seconds), { timeout: 20_000 })
})

test('a process left in the background ends with the command, and does not delay it', async () => {
  const seconds = sleepOf(3)
  const { status } = await run({ command: `sleep ${seconds} & echo begun` })
  expect(status).toBe('ok')
  await vi.waitUntil(() => !isRunning(seconds), { timeout: 20_000 })
})

test('commands see neither the server token nor the keys of providers', async () => {
  const secrets = [
    'TURNBUCKLE_TOKEN',
    'TURNBUCKLE_TOKENS',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
  ]
  for (const name of secrets) vi.stubEnv(name, 'sesame')
  const { value } = await run({ command: 'env' }, { env: { GIVEN: 'on purpose' } })
  vi.unstubAllEnvs()
  expect(value).not.toContain('sesame')
  expect(value).toContain('GIVEN=on purpose')
  expect(value).toContain('PATH=')
})

test.each([
  ['PATH', true],
  ['HOME', true],
  ['KEYBOARD', true],
  ['MONKEY', true],
  ['SSH_AUTH_SOCK', true],
  ['GOOGLE_GENERATIVE_AI_API_KEY', false],
  ['ANTHROPIC_AUTH_TOKEN', false],
  ['github_token', false],
  ['DB_PASSWORD', false],
  ['ANTHROPIC_BASE_URL', false],
  ['TURNBUCKLE_HOME', false],
])('%s is passed on: %s', (name, passed) => expect(name in commandEnvironment({ [name]: 'x' })).toBe(passed))

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
/** The sandbox of this machine, if it has one: the tests below say what holds with it and what without. */
const confined = (await findSandbox()).kind !== 'none'
const none: FoundSandbox = { kind: 'none', reason: 'this is a test' }

test('a command writes in the workspace; where the system has a sandbox, nowhere else', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'turnbuckle-outside-'))
  await run({ command: `echo x > inside; echo x > ${outside}/file; echo x > ${process.cwd()}/outside-by-shell-test` })
  const escaped = await isThere(join(process.cwd(), 'outside-by-shell-test'))
  await rm(join(process.cwd(), 'outside-by-shell-test'), { force: true })
  expect(await readFile(join(root, 'inside'), 'utf8')).toBe('x\n')
  expect({ escaped, temporary: await isThere(join(outside, 'file')) }).toEqual({
    escaped: !confined,
    temporary: !confined,
  })
  await rm(outside, { recursive: true })
})

test('a sandbox that is switched off on purpose holds nothing', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'turnbuckle-outside-'))
  await run({ command: `echo x > ${outside}/file` }, { sandbox: false })
  expect(await isThere(join(outside, 'file'))).toBe(true)
  await rm(outside, { recursive: true })
})

test('folders of `write` are written, hidden ones are empty', async () => {
  const other = await mkdtemp(join(tmpdir(), 'turnbuckle-outside-'))
  await mkdir(join(root, 'keys'))
  await writeFile(join(root, 'keys', 'key'), 'sesame')
  const sandbox = { write: [other], hide: [join(root, 'keys')] }
  const { value } = await run({ command: `echo x > ${other}/file; cat keys/key` }, { sandbox })
  expect(await isThere(join(other, 'file'))).toBe(true)
  expect(String(value).includes('sesame')).toBe(!confined)
  await rm(other, { recursive: true })
})

test("git's hooks are not written by a command in a sandbox, nor is .git moved out of the way", async () => {
  await mkdir(join(root, '.git/hooks'), { recursive: true })
  await writeFile(join(root, '.git/config'), 'ours')
  const command =
    'echo x > .git/hooks/pre-commit; echo x > .git/config; echo x > .git/file; mv .git moved && mkdir -p .git/hooks && echo x > .git/hooks/pre-push'
  await run({ command })
  const hooks = await Promise.all(['pre-commit', 'pre-push'].map(name => isThere(join(root, '.git/hooks', name))))
  expect(hooks.includes(true)).toBe(!confined)
  expect(await isThere(join(root, confined ? '.git/file' : 'moved/file'))).toBe(true)
})

test('a command in a sandbox turns git to no other folder with hooks and settings', async () => {
  await mkdir(join(root, '.git/hooks'), { recursive: true })
  await writeFile(join(root, '.git/config'), 'ours')
  await run({ command: 'echo ../evil > .git/commondir' })
  expect(await isThere(join(root, '.git/commondir'))).toBe(!confined)
  await rm(join(root, '.git'), { recursive: true })
  await writeFile(join(root, '.git'), 'gitdir: ours')
  await run({ command: 'echo gitdir: evil > .git; mv .git moved; echo gitdir: evil > .git' })
  expect(await readFile(join(root, '.git'), 'utf8')).toBe(confined ? 'gitdir: ours' : 'gitdir: evil\n')
})

/** A server on this machine that says who asked. */
async function serving<Value>(use: (port: number) => Promise<Value>): Promise<Value> {
  const server = createServer((asked, answer) => answer.end(`hello from ${asked.headers.host}`))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}
/** Asks for a page as a program does that knows of proxies. */
const asking = (port: number) =>
  `'${process.execPath}' -e "const p = process.env.http_proxy; const [h, q] = p ? [new URL(p), 'http://127.0.0.1:${port}/'] : [new URL('http://127.0.0.1:${port}'), '/']; require('http').get({ host: h.hostname, port: h.port, path: q, headers: { host: '127.0.0.1:${port}' } }, r => r.pipe(process.stdout)).on('error', e => console.log(e.code))"`

test('a server of the machine is reached by a command in a sandbox only if the list names it', async () => {
  const without = await serving(async port => (await run({ command: asking(port) })).value)
  const [named, other] = await serving(async port => [
    (await run({ command: asking(port) }, { sandbox: { network: [`127.0.0.1:${port}`] } })).value,
    (await run({ command: asking(port) }, { sandbox: { network: ['example.org'] } })).value,
  ])
  expect(named).toMatch(/^hello from 127\.0\.0\.1:\d+$/)
  expect(without).toMatch(confined ? /^ECONNREFUSED|^ENETUNREACH/ : /^hello/)
  expect(other).toMatch(confined ? /^The sandbox does not let commands reach 127\.0\.0\.1/ : /^hello/)
})

test('the relay of a list of hosts passes on the exit code', async () => {
  expect((await run({ command: 'exit 3' }, { sandbox: { network: ['example.org'] } })).value).toBe('\n[exit code 3]')
})

test('where the system has none, a command runs without one; where one is required, it does not run', async () => {
  const told: string[] = []
  const onMissing = (reason: string) => void told.push(reason)
  expect((await run({ command: 'echo ran' }, { sandbox: { system: none, onMissing } })).value).toBe('ran\n')
  expect(told).toEqual(['this is a test'])
  expect(await run({ command: 'echo ran' }, { sandbox: { system: none, required: true } })).toMatchObject({
    status: 'error',
    value: expect.stringContaining('Commands run only in a sandbox here, and there is none: this is a test.'),
  })
})

test('a command goes through the program of the sandbox, and not on its own where that one fails', async () => {
  const program = join(root, 'sandbox')
  const script = (text: string) => writeFile(program, `#!/bin/sh\n${text}\n`).then(() => chmod(program, 0o755))
  const sandbox = { system: { kind: 'bubblewrap', program } as const }
  await script('echo "$@" > arguments; while [ "$1" != -- ]; do shift; done; shift; exec "$@"')
  expect((await run({ command: 'echo ran' }, { sandbox })).value).toBe('ran\n')
  expect(await readFile(join(root, 'arguments'), 'utf8')).toContain('--unshare-net')
  await script('echo "bwrap: no" >&2; exit 1')
  expect((await run({ command: 'echo ran' }, { sandbox })).value).toBe('bwrap: no\n\n[exit code 1]')
})

test('a file that turns git to other settings is gone with the command that left it in a sandbox', async () => {
  const program = join(root, 'sandbox')
  await writeFile(program, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', { mode: 0o755 })
  await mkdir(join(root, '.git'))
  const sandbox = { system: { kind: 'bubblewrap', program } as const }
  const { value } = await run({ command: 'echo ../evil > .git/commondir; cat .git/commondir' }, { sandbox })
  expect(value).toBe('../evil\n')
  expect(await isThere(join(root, '.git/commondir'))).toBe(false)
})

test('a failure that the sandbox caused is told as such, so that the model need not guess', async () => {
  const program = join(root, 'sandbox')
  await writeFile(program, '#!/bin/sh\necho "touch: Read-only file system" >&2; exit 1\n')
  await chmod(program, 0o755)
  const { value } = await run({ command: 'x' }, { sandbox: { system: { kind: 'bubblewrap', program } } })
  expect(value).toMatch(/\[exit code 1\]\n\[it ran in a sandbox: only the workspace .*there is no network\]$/)
})

test('a host that cannot be one is told when the tool is made', () => {
  expect(() => workspaceTools({ root, shell: { sandbox: { network: ['https://example.org'] } } })).toThrow(
    'names no host',
  )
})
