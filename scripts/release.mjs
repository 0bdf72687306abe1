/**
 * npm run release -- 0.2.0                   every package gets this version, and the changelog's Unreleased part its heading
 * node scripts/release.mjs --check 0.2.0     fails unless every package and the changelog have this version
 * node scripts/release.mjs --notes 0.2.0     prints the changelog's part of this version
 * node scripts/release.mjs --publish         publishes the packages, with provenance: for the release workflow
 *
 * All packages have one version, and name each other by exactly that one.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = process.env.TURNBUCKLE_RELEASE_ROOT ?? new URL('..', import.meta.url).pathname
const changelog = join(root, 'CHANGELOG.md')
const unreleased = '## Unreleased\n'
const dependencyKinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

function manifests() {
  const folders = ['.', 'examples', ...readdirSync(join(root, 'packages')).map(name => `packages/${name}`)]
  const files = folders.map(folder => join(root, folder, 'package.json')).filter(existsSync)
  return files.map(file => ({ file, manifest: JSON.parse(readFileSync(file, 'utf8')) }))
}
const dependenciesOf = manifest => dependencyKinds.map(kind => manifest[kind] ?? {})
const isPublished = ({ manifest }) => !manifest.private

function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) fail(`A version is three numbers, such as 0.2.0: ${version}`)
  const all = manifests()
  const ours = new Set(all.filter(isPublished).map(({ manifest }) => manifest.name))
  for (const { file, manifest } of all) {
    if (!manifest.private) manifest.version = version
    for (const wanted of dependenciesOf(manifest))
      for (const name of Object.keys(wanted)) if (ours.has(name)) wanted[name] = version
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
  const text = readFileSync(changelog, 'utf8')
  if (!text.includes(unreleased)) fail('CHANGELOG.md has no part "## Unreleased".')
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(changelog, text.replace(unreleased, `${unreleased}\n## ${version} (${today})\n`))
}

/** The part of the changelog under the heading of a version. */
function notesOf(version) {
  const parts = readFileSync(changelog, 'utf8').split(/^## /m)
  return parts.find(part => part.startsWith(`${version} (`))
}

function check(version) {
  const published = manifests().filter(isPublished)
  const others = published.filter(({ manifest }) => manifest.version !== version)
  if (others.length) fail(`Not of version ${version}: ${others.map(({ manifest }) => manifest.name).join(', ')}.`)
  const names = new Set(published.map(({ manifest }) => manifest.name))
  for (const { manifest } of published)
    for (const dependencies of dependenciesOf(manifest))
      for (const [name, wanted] of Object.entries(dependencies))
        if (names.has(name) && wanted !== version) fail(`${manifest.name} wants ${name} ${wanted}.`)
  if (!notesOf(version)) fail(`CHANGELOG.md has no part for ${version}.`)
}

function publish() {
  const flags = ['--provenance', '--access', 'public']
  for (const { manifest } of manifests().filter(isPublished))
    execFileSync('npm', ['publish', '-w', manifest.name, ...flags], { cwd: root, stdio: 'inherit' })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'string' }, notes: { type: 'string' }, publish: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.check) check(values.check)
else if (values.notes) process.stdout.write(`## ${notesOf(values.notes) ?? fail('No such version.')}`)
else if (values.publish) publish()
else setVersion(positionals[0])
