// Writes the optional packages of other systems into package-lock.json. npm leaves out those that the registry at hand does not carry, and
// `npm ci` then refuses the lockfile everywhere. `--check` only says which are missing, and fails when there are some.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8'))

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** The entry of a package that only some systems install, as far as its name tells. Without `integrity`: the registry here cannot tell it. */
function platformEntry(name, version, { dev, engines }) {
  const words = name.split(/[-/]/)
  const cpu = words.find(word => processors.includes(word))
  const os = words.find(word => systems.includes(word))
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(words.includes('musl') && { libc: ['musl'] }),
    optional: true,
    ...(os && { os: [os] }),
    ...(engines && { engines }),
  }
}

/** Packages for one system are pinned by whoever needs them; an optional dependency with a range is an ordinary one. */
const isPinned = version => /^\d/.test(version)

const missing = []
for (const [dependent, entry] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const top = `node_modules/${name}`
    const nested = `${dependent}/${top}`
    if (!isPinned(version) || lock.packages[nested] || lock.packages[top]?.version === version) continue
    lock.packages[lock.packages[top] ? nested : top] = platformEntry(name, version, entry)
    missing.push(`${name}@${version}`)
  }

if (process.argv.includes('--check')) {
  if (missing.length) console.error(`package-lock.json lacks ${missing.join(', ')}. Run npm run lock.`)
  process.exitCode = missing.length ? 1 : 0
} else {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`)
  console.log(missing.length ? `Added ${missing.join(', ')}.` : 'Nothing is missing.')
}
