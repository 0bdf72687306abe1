import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../scripts/ensure-installed.mjs'

const cache = join(root, 'node_modules/.cache/turnbuckle-before')

/** The library as it was at a commit, built from git's history once and kept. Returns its dist folder. */
export function builtAt(commit) {
  const id = git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], commit)
    .toString()
    .trim()
  const home = join(cache, id)
  const dist = join(home, 'packages/turnbuckle/dist')
  if (existsSync(join(dist, 'index.js'))) return dist
  console.error(`Building ${commit} (${id.slice(0, 7)}), a few seconds …`)
  const draft = `${home}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const parts = ['packages/turnbuckle', 'scripts', 'tsdown.config.ts', 'tsconfig.json', 'package.json']
  run('tar', ['-x', '-C', draft], { input: git(['archive', id, ...parts], commit) })
  const tsdown = join(root, 'node_modules/tsdown/dist/run.mjs')
  run(process.execPath, [tsdown, '--logLevel', 'error', '--filter', 'turnbuckle'], { cwd: draft })
  rmSync(home, { recursive: true, force: true })
  renameSync(draft, home)
  return dist
}

function git(args, commit) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 30 })
  if (status === 0) return stdout
  throw new Error(
    `The commit ${commit} is not in this folder's git history. Clone the repository with its history (git fetch --unshallow), or name another commit: npm run test:same -- --before COMMIT.`,
  )
}

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { stdio: 'pipe', ...options })
  if (status === 0) return
  throw new Error(`${[command, ...args].join(' ')} failed. ${error?.message ?? ''}\n${stdout ?? ''}${stderr ?? ''}`)
}
