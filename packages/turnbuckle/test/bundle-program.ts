import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sourceAliases } from '../../../scripts/source-aliases.mjs'
import { bundleThread } from './bundle-thread.ts'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * A test's program as one file, so that its process starts quickly, with the library's source in it. It lies below
 * `home`, where its packages are found, and is this process's own.
 */
export async function bundleProgram(entry: URL | string, name: string, home: string = root): Promise<string> {
  const folder = join(home, 'node_modules/.cache/turnbuckle-programs')
  const outfile = join(folder, `${name}-${process.pid}.mjs`)
  await bundleThread(folder)
  await build({
    entryPoints: [entry instanceof URL ? fileURLToPath(entry) : entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: sourceAliases(root),
  })
  return outfile
}
