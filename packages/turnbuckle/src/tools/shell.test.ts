import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type ResultPart } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { commandEnvironment, type ShellOptions, workspaceTools } from 'turnbuckle/tools'
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
/** A process that has ended but that nobody has collected yet is not alive. */
const isAlive = (pid: number) => {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

test.each<[command: string, value: unknown]>([
  ['echo out; echo err >&2', expect.stringMatching(/out[\s\S]*err|err[\s\S]*out/)],
  ['true', '[no output]'],
  ['echo x; exit 3', 'x\n\n[exit code 3]'],
  ['kill -9 $$', '\n[exit code SIGKILL]'],
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
  const command = 'echo begun; (trap "" TERM; sleep 1000) & echo $! > pid; wait'
  const { status, value } = await run({ command, timeout: 2000 })
  expect({ status, value }).toMatchObject({ status: 'timeout', value: expect.stringContaining('begun') })
  const pid = Number(await readFile(join(root, 'pid'), 'utf8'))
  await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
})

test('an interrupt ends the whole process group', async () => {
  const turn = agent({ command: 'sleep 1000 & echo $! > pid; wait' }).send('go')
  const pid = await vi.waitUntil(async () => Number(await readFile(join(root, 'pid'), 'utf8').catch(() => 0)), {
    timeout: 20_000,
  })
  expect(isAlive(pid)).toBe(true)
  turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
})

test('a process left in the background ends with the command, and does not delay it', async () => {
  const { status } = await run({ command: 'sleep 1000 & echo $! > pid' })
  expect(status).toBe('ok')
  const pid = Number(await readFile(join(root, 'pid'), 'utf8'))
  await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
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
