// Times between processes that share a PostgreSQL: `npm run measure:shared`. A delta's way from a worker to a client of a server, an
// interrupt's way back, and how long it takes until a turn goes on whose server is gone. Starts everything itself; takes a minute.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sourceAliases } from '../../../../scripts/source-aliases.mjs'

const home = new URL('../../../../', import.meta.url)
const outfile = fileURLToPath(new URL('packages/server/node_modules/.cache/measure-shared-log.mjs', home))
await build({
  entryPoints: [fileURLToPath(new URL('measure.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  alias: sourceAliases(fileURLToPath(home)),
})
const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
child.once('exit', code => {
  rmSync(outfile, { force: true })
  process.exit(code ?? 1)
})
