import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { root } from './bundle-program.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packages = readdirSync(join(root, 'packages')).map(name => `packages/${name}`)
const manifestOf = (from: string, place: string) => JSON.parse(readFileSync(join(from, place, 'package.json'), 'utf8'))

test('a release gives every package one version, by which they name each other, and the changelog its heading', async () => {
  for (const place of ['.', 'examples', ...packages]) {
    mkdirSync(join(folder, place), { recursive: true })
    cpSync(join(root, place, 'package.json'), join(folder, place, 'package.json'))
  }
  cpSync(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
  const env = { ...process.env, TURNBUCKLE_RELEASE_ROOT: folder }
  const release = (...args: string[]) => run(process.execPath, [join(root, 'scripts/release.mjs'), ...args], { env })
  await expect(release('--check', '9.8.7')).rejects.toThrow('Not of version 9.8.7')
  await release('9.8.7')
  await release('--check', '9.8.7')
  expect(manifestOf(folder, 'packages/cli')).toMatchObject({ version: '9.8.7', dependencies: { turnbuckle: '9.8.7' } })
  const { stdout } = await release('--notes', '9.8.7')
  expect(stdout).toMatch(/^## 9\.8\.7 \(\d{4}-\d\d-\d\d\)\n\n\S/)
})

test('the packages have one version, and no script of theirs runs when they are installed', () => {
  const published = packages.map(place => manifestOf(root, place)).filter(manifest => !manifest.private)
  expect(new Set(published.map(({ version }) => version)).size).toBe(1)
  const scripts = published.flatMap(({ scripts = {} }) => Object.keys(scripts))
  expect(scripts.filter(name => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
})

test('workflows use actions by commit, and may write nothing unless a job says so', () => {
  for (const name of readdirSync(join(root, '.github/workflows'))) {
    const text = readFileSync(join(root, '.github/workflows', name), 'utf8')
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(used.filter(action => !/^[\w/-]+@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([])
    expect(text).toContain('\npermissions:\n  contents: read\n')
    // Code of dependencies runs in these folders: it finds no token of the repository there.
    const checkouts = text.split('uses: actions/checkout@').slice(1)
    expect(checkouts.filter(rest => !/^\S+ # \S+\n +with:\n +persist-credentials: false\n/.test(rest))).toEqual([])
  }
})

test('the bill of materials that a release needs is made by every check of a commit too', () => {
  const [check, release] = ['ci', 'release'].map(name =>
    readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8'),
  )
  for (const workflow of [check, release]) expect(workflow).toContain('npm run -s sbom > turnbuckle.cdx.json')
})

test('the report of the public types is that of the build: npm run api writes it anew', async () => {
  await run(process.execPath, [join(root, 'scripts/write-api-report.mjs'), '--check'], { cwd: root })
})
