import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

// These tests look at dist, as users get it: `npm test` builds it first.
const packageDir = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Manifest
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-pack-'))
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

test('every door has the right types in ESM', () => {
  expect(run('attw', tarball, '--profile', 'esm-only', '--no-definitely-typed')).toMatchObject({ status: 0 })
})

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
