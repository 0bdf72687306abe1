import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'

export function machine(node) {
  const cores = cpus()
  return {
    cpu: `${cores[0]?.model.trim() ?? 'unknown'}, ${cores.length} cores`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    load: loadavg()[0].toFixed(1),
  }
}

export function versionOf(name, root) {
  const file = new URL(`${name}/package.json`, root)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** The commit a folder is at, and whether its sources differ from it. */
export function commitOf(folder) {
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short', 'HEAD')
  return git('status', '--porcelain', '--', '.') ? `${commit} and uncommitted changes` : commit
}
