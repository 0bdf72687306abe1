// npm run test:recordings -- FOLDER [--only TEXT] [--show]
// Plays recorded streams of providers through their real packages into an agent and into `streamText` of the same major. Parts, usage and
// every request's body have to be the same, but for the differences that named-differences.mjs gives a reason for.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, root, run } from '../../../../scripts/ensure-installed.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, show: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (!folder) {
  console.error('Which recordings? npm run test:recordings -- ../shared/recordings')
  process.exit(2)
}

ensureInstalled()
const here = new URL('.', import.meta.url).pathname
if (!existsSync(`${here}node_modules/ai`)) {
  console.error('Installing the provider packages, about half a minute …')
  run('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'])
}
const { playAll } = await import('./play-all.mjs')
process.exitCode = await playAll(resolve(root, folder), values)
