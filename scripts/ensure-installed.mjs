import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs what the lockfile says when node_modules holds something else. Throws when npm fails. */
export function ensureInstalled() {
  // npm notes here what it installed last, in the lockfile's own form.
  const installed = `${root}node_modules/.package-lock.json`
  if (existsSync(installed) && holds(packagesOf(installed), packagesOf(`${root}package-lock.json`))) return
  console.error('Installing dependencies, about half a minute …')
  // Not `ci`: that deletes node_modules first, and most of it is right.
  run('npm', ['install', '--no-save', '--loglevel=error'])
}

const packagesOf = path => JSON.parse(readFileSync(path, 'utf8')).packages

/** Packages for other platforms are optional and rightly missing. */
function holds(installed, wanted) {
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (!path.includes('node_modules/')) return true
    return path in installed ? installed[path].version === version : optional === true
  })
}

/** Says nothing unless it fails: standard output belongs to whatever is run after. */
export function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  throw new Error(`${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}.`)
}
