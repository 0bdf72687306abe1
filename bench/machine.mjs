import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

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

/** Whether a source was written after the build, which is then not what would be measured. */
export function isBuildOld(folder) {
  const built = statSync(join(folder, 'dist/index.js')).mtimeMs
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
  return sources.some(name => statSync(join(folder, 'src', name)).mtimeMs > built)
}

/** When the build was made, and the commit that the folder is at now. */
export function describeBuild(folder) {
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const built = statSync(join(folder, 'dist/index.js')).mtime.toISOString().slice(0, 16)
  const changed = git('status', '--porcelain', '--', 'src') ? ', sources changed since' : ''
  return `built ${built}Z, commit ${git('rev-parse', '--short', 'HEAD')}${changed}`
}
