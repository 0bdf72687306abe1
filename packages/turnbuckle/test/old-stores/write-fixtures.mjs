// node packages/turnbuckle/test/old-stores/write-fixtures.mjs VERSION
// Writes the folder written-by-VERSION: stores of the version that is checked out, and what that version itself makes of
// them when it opens, resumes and continues them. A later version never rewrites a folder; it adds one of its own when
// the stored format changes.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const source = path => join(here, '../../src', path)
const [version] = process.argv.slice(2)
if (!version) throw new Error('Say which version writes: its commit or its number.')
// Beside bundle-program.ts, whose programs git ignores.
const outfile = join(here, '..', `.program-${process.pid}.mjs`)
try {
  await build({
    entryPoints: [join(here, 'write-fixtures.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: {
      turnbuckle: source('index.ts'),
      'turnbuckle/middleware': source('middleware/index.ts'),
      'turnbuckle/stores': source('stores/index.ts'),
      'turnbuckle/testing': source('testing/index.ts'),
    },
  })
  const { writeFixtures } = await import(pathToFileURL(outfile).href)
  await writeFixtures(join(here, `written-by-${version}`))
} finally {
  rmSync(outfile, { force: true })
}
// Turns whose process was said to die are still waiting here.
process.exit()
