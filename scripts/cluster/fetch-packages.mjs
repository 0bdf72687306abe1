// Packages out of npm that only the cluster needs: installed when somebody asks for them, and not by `npm ci`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../ensure-installed.mjs'

const cache = join(root, 'node_modules/.cache')
const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** The `node_modules` folder that has these packages (`name@version`). Fetches them the first time, in some seconds; two processes at once fetch them twice. */
export function fetchPackages(name, packages) {
  const home = join(cache, `turnbuckle-${name}`)
  if (existsSync(home)) return join(home, 'node_modules')
  console.error(`Fetching ${packages.join(', ')} from npm, once …`)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, `${name}-`))
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', folder, ...options, ...packages], { cwd: folder })
  if (status !== 0) throw new Error(`npm could not install ${packages.join(', ')}. ${stderr ?? ''}`)
  try {
    renameSync(folder, home)
  } catch {
    // Another process was faster.
    rmSync(folder, { recursive: true, force: true })
  }
  return join(home, 'node_modules')
}
