// npm run test:node [-- VERSION [VITEST ARGUMENTS]]: the tests on another Node, out of npm. By default the durability
// tests on 22.13.0, the first that has `node:sqlite`: what stores use where it is there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'

const [version = '22.13.0', ...rest] = process.argv.slice(2)
const tests = rest.length ? rest : ['packages/turnbuckle/test/durability', 'packages/turnbuckle/src/conversation']
const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`

/** @returns {string} where it is; it is kept beside what else is installed, and in no package.json */
function node() {
  const home = join(root, 'node_modules/.cache/turnbuckle-node', version)
  const program = join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }))
  const { status } = spawnSync('npm', ['install', '--silent', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0 && existsSync(program)) return program
  throw new Error(`There is no ${name}@${version} to install.`)
}

ensureInstalled()
const program = node()
console.log(`Node ${version}`)
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests]
process.exitCode = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
