import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { type LoopbackRegistry, loopbackRegistry } from './loopback-registry.ts'

// These tests fetch dist from a registry, as users get it: `npm test` builds it first.
const folder = mkdtempSync(join(tmpdir(), 'create-turnbuckle-'))
let registry: LoopbackRegistry
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  registry = await loopbackRegistry()
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST|TURNBUCKLE)/i.test(name))
  const npm = { registry: registry.url, cache: join(folder, 'cache'), userconfig: join(folder, 'npmrc') }
  const settings = Object.entries({
    ...npm,
    audit: 'false',
    fund: 'false',
    update_notifier: 'false',
    prefer_offline: 'true',
  })
  env = {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(settings.map(([name, value]) => [`npm_config_${name}`, value])),
    TURNBUCKLE_HOME: join(folder, 'home'),
  }
  writeFileSync(join(folder, 'npmrc'), '')
})
afterAll(() => {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}
const run = async (cwd: string, command: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env })
  return stdout
}

/** The first line that a program prints and that matches; the program ends with the test. */
function printed(cwd: string, line: RegExp, command: string, ...args: string[]): Promise<RegExpExecArray> {
  const child: ChildProcess = spawn(command, args, { cwd, env: { ...env, PORT: '0' }, detached: true })
  onTestFinished(() => void process.kill(-(child.pid ?? 0)))
  let text = ''
  return new Promise((resolve, reject) => {
    const read = (data: Buffer) => {
      text += data
      const found = line.exec(text)
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', code => reject(new Error(`${command} ended with ${code}: ${text}`)))
  })
}

test.each(['js', 'ts'] as const)(
  'npm create turnbuckle: a project in %s whose test passes and whose server answers',
  async language => {
    const cwd = inFolder(`made-${language}`)
    const said = await run(
      cwd,
      'npm',
      'create',
      '--yes',
      `turnbuckle@${manifest.version}`,
      'notes',
      '--',
      `--${language}`,
    )
    expect(said).toContain('cd notes')
    const project = join(cwd, 'notes')
    const files = ['agent', 'note-limit', 'note-limit.test', 'server'].map(name => `${name}.${language}`)
    expect(readdirSync(join(project, 'src')).sort()).toEqual(files.sort())
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('node_modules/')
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toContain(`src/agent.${language}`)
    await run(project, 'npm', 'install')
    expect(await run(project, 'npm', 'test')).toMatch(/pass 1$/m)
    const [, url, token] = await printed(project, /Open (http:\S+)\/#token=(\S+)/, 'npm', 'start')
    expect(await (await fetch(`${url}/`)).text()).toContain('<title>')
    const headers = { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  },
)

test('a folder with files in it is left alone', async () => {
  const cwd = inFolder('full')
  writeFileSync(join(inFolder('full/notes'), 'kept.txt'), 'kept')
  const making = run(cwd, 'npm', 'create', '--yes', 'turnbuckle', 'notes', '--', '--js')
  await expect(making).rejects.toMatchObject({ stderr: expect.stringContaining('notes is not empty') })
  expect(readdirSync(join(cwd, 'notes'))).toEqual(['kept.txt'])
})

test('npx turnbuckle runs the terminal of its version through npm, or the one that is installed', async () => {
  const cwd = inFolder('npx')
  expect(await run(cwd, 'npx', '--yes', 'turnbuckle', '--version')).toBe(`${manifest.version}\n`)
  const [, url] = await printed(
    cwd,
    /ready at (http:\S+)\/#token=/,
    'npx',
    '--yes',
    'turnbuckle',
    'serve',
    '--port',
    '0',
    '--model',
    'offline',
  )
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const installed = inFolder('installed')
  writeFileSync(join(installed, 'package.json'), '{ "private": true }')
  await run(installed, 'npm', 'install', 'turnbuckle', '@turnbuckle/cli')
  expect(readdirSync(join(installed, 'node_modules/.bin'))).toEqual(
    expect.arrayContaining(['turnbuckle', 'turnbuckle-cli']),
  )
  const before = registry.fetched.length
  expect(await run(installed, 'npx', 'turnbuckle', '--version')).toBe(`${manifest.version}\n`)
  expect(registry.fetched).toHaveLength(before)
  await expect(run(installed, 'npx', 'turnbuckle', 'no-such-command')).rejects.toMatchObject({ code: 2 })
})
