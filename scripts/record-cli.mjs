// The pictures of docs/cli.md: plays a chat with the built program and writes its screens. `npm run record:cli`.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './ensure-installed.mjs'

// Beside its sources, so that it finds the program as they do.
const player = join(root, 'packages/cli/test/.record.mjs')
try {
  await build({
    entryPoints: [join(root, 'packages/cli/test/recording/record.ts')],
    outfile: player,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
  const { record } = await import(pathToFileURL(player))
  await record(join(root, 'docs/images'))
} finally {
  rmSync(player, { force: true })
}
