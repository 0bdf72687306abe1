// The programs of the chaos run as one file each, with the sources of our packages in them: no build is needed, and they start quickly.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from '../../../../scripts/ensure-installed.mjs'
import { sourceAliases } from '../../../../scripts/source-aliases.mjs'

/** Bundles programs beside this file into `folder`, which lies where their packages are found. Gives their paths by name. */
export async function bundlePrograms(names, folder) {
  await build({
    entryPoints: names.map(name => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url))),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: sourceAliases(root),
  })
  return Object.fromEntries(names.map(name => [name, join(folder, `${name}.mjs`)]))
}
