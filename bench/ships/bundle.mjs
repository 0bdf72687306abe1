import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const here = name => fileURLToPath(new URL(name, import.meta.url))

/**
 * The programs export nothing to import, so their composition is bundled from its source, into `folder`: what they put
 * together is what is measured. Packages stay outside; the library is the one that is found from there.
 */
export function bundleParts(folder) {
  const outfile = join(folder, 'parts.mjs')
  buildSync({
    entryPoints: [here('parts.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Without the workspace's paths, which lead from the library's name to its source.
    tsconfigRaw: {},
    alias: { 'turnbuckle/models': here('models.mjs') },
    logLevel: 'error',
  })
  return outfile
}
