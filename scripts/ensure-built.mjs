import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './ensure-installed.mjs'

/** What the last build was made from. */
const stamp = join(root, 'node_modules/.cache/turnbuckle-built')

/** Builds every package into its dist, unless that was done from these very files. Throws when it fails. */
export function ensureBuilt() {
  const sources = fingerprint()
  if (hasBeenBuilt() && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  console.error('Building, a few seconds …')
  rmSync(stamp, { force: true })
  run(process.execPath, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'error'])
  const web = join(root, 'packages/web')
  run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', web, '--logLevel', 'error'])
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  writeFileSync(stamp, sources)
}

/** But for the site, which `npm run docs` builds. */
const packages = () =>
  readdirSync(join(root, 'packages'))
    .filter(name => name !== 'site')
    .map(name => join(root, 'packages', name))
const hasBeenBuilt = () => packages().every(folder => existsSync(join(folder, 'dist')))

/** Names, sizes and times of everything that the build reads. */
function fingerprint() {
  const hash = createHash('sha256')
  const add = path => {
    const stats = statSync(path)
    if (stats.isFile()) hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`)
    else for (const name of readdirSync(path).sort()) add(join(path, name))
  }
  const ofRoot = ['tsconfig.json', 'tsdown.config.ts', 'package-lock.json', 'scripts']
  const ofPackages = ['src', 'public', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts']
  for (const [folder, names] of [[root, ofRoot], ...packages().map(folder => [folder, ofPackages])])
    for (const path of names.map(name => join(folder, name))) if (existsSync(path)) add(path)
  return hash.digest('hex')
}
