// npm run test:crash [-- --seed N] [--random N] [--only SCENARIO] [--store sqlite|postgres] [--repeat RUN]
// Kills at every boundary of every scenario on both stores, then at random times and several times in a row.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureInstalled } from '../../../../../scripts/ensure-installed.mjs'
import { sourceAliases } from '../../../../../scripts/source-aliases.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../../../../')
// Beside bundle-program.ts, which finds the sources from where it is.
const outfile = join(root, 'packages/turnbuckle/test', `.program-${process.pid}.mjs`)
mkdirSync(dirname(outfile), { recursive: true })
ensureInstalled()
const { build } = await import('esbuild')
try {
  await build({
    entryPoints: [join(here, 'program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: sourceAliases(root),
  })
  const { runAll } = await import(pathToFileURL(outfile).href)
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      random: { type: 'string' },
      only: { type: 'string' },
      store: { type: 'string' },
      repeat: { type: 'string' },
    },
  })
  process.exitCode = (await runAll(here, values)) ? 0 : 1
} finally {
  rmSync(outfile, { force: true })
}
