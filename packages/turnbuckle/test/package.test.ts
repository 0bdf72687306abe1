import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Every value of the public root. Types are not listed: they vanish in the build. */
const rootExports = [
  'TurnbuckleError',
  'again',
  'agentTool',
  'block',
  'createAgent',
  'debugPipeline',
  'fail',
  'finish',
  'goto',
  'isHookError',
  'mayAnswer',
  'middleware',
  'offline',
  'offlineTools',
  'performancePipeline',
  'pipeline',
  'replace',
  'rewind',
  'skip',
  'stage',
  'stop',
  'textOf',
  'tool',
]

/** What its types must know, and what they must refuse. */
const typedProgram = `
import { createAgent, middleware, tool } from 'turnbuckle'
import { z } from 'zod'
const input = z.object({ city: z.string() })
const weather = tool({ name: 'weather', input, run: ({ city }) => city.toUpperCase() })
// @ts-expect-error: a city is a text
tool({ name: 'weather', input, run: ({ city }) => city.nothing })
const counting = middleware({ name: 'counting', state: { n: 0 }, beforeTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })) })
// @ts-expect-error: there is no such model
createAgent({ model: 7 })
const turn = createAgent({ model: 'offline', tools: [weather], use: [counting] }).send('Umbrella?')
for await (const text of turn.text) process.stdout.write(text)
const { status, reason, by }: { status: 'completed' | 'stopped' | 'failed' | 'interrupted'; reason: string; by: string } = await turn
console.log(status, reason, by)
`

interface Manifest {
  readonly exports: Record<string, string>
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

// These tests look at dist, as users get it: `npm test` builds it first.
const packageDir = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Manifest
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
// Below the workspace, where zod and the types of Node are found.
const folder = mkdtempSync(join(root, 'node_modules/.cache/turnbuckle-pack-'))
let tarball = ''

/** Runs a tool of the workspace and gives what it printed with its exit code, so that a failure shows the findings. */
function run(bin: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', bin), args, {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

beforeAll(() => {
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: packageDir,
    encoding: 'utf8',
  })
  tarball = join(folder, name.trim())
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('publint finds nothing in the packed package', async () => {
  const { messages } = await publint({ strict: true, pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } })
  expect(messages).toEqual([])
})

test.each(['turnbuckle', 'server', 'restate', 'cli', 'web'])(
  '%s brings its licence and what was built, and nothing else',
  name => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: join(root, 'packages', name),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ files }] = JSON.parse(packed) as [{ files: readonly { path: string }[] }]
    const others = files.map(({ path }) => path).filter(path => !path.startsWith('dist/'))
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
  },
)

test.each(['server', 'restate', 'cli', 'create-turnbuckle'])('publint finds nothing in %s', async name => {
  const { messages } = await publint({ strict: true, pkgDir: join(root, 'packages', name) })
  expect(messages).toEqual([])
})

test('every door has the right types in ESM', () => {
  expect(run('attw', tarball, '--profile', 'esm-only', '--no-definitely-typed')).toMatchObject({ status: 0 })
})

test('a strict program compiles against the packed types, and they say what is wrong', () => {
  const installed = join(folder, 'node_modules/turnbuckle')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  const doors = Object.keys(manifest.exports).filter(door => door !== './package.json')
  const imports = doors.map((door, i) => `import * as door${i} from 'turnbuckle${door.slice(1)}'\nvoid door${i}\n`)
  writeFileSync(join(folder, 'program.ts'), imports.join('') + typedProgram)
  const options = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022', module: 'nodenext' }
  const compilerOptions = { ...options, exactOptionalPropertyTypes: true, types: ['node'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  expect(run('tsc', '-p', folder)).toEqual({ status: 0, output: '' })
}, 120_000)

test('the core stays within its size, minified and gzipped', () => {
  expect(run('size-limit')).toMatchObject({ status: 0 })
})

test('nothing else has to be installed', () => {
  const required = Object.keys(manifest.peerDependencies ?? {}).filter(
    name => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  )
  expect([...Object.keys(manifest.dependencies ?? {}), ...required]).toEqual([])
})

test('the root exports what is listed, and nothing else', async () => {
  const door: object = await import(new URL('../dist/index.js', import.meta.url).href)
  expect(Object.keys(door).sort()).toEqual(rootExports)
})
