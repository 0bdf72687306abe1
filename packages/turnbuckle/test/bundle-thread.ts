import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of programs that tests bundle. */
export const programs: string = join(root, 'node_modules/.cache/turnbuckle-programs')

/** Bundles the program of the SQLite thread from its source into a folder, in which bundled stores look for it. */
export async function bundleThread(folder: string = programs): Promise<void> {
  const file = join(folder, 'sqlite-thread.mjs')
  const outfile = `${file}.${process.pid}`
  await build({
    entryPoints: [join(root, 'packages/turnbuckle/src/conversation/sqlite/sqlite-thread.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  })
  // At once, for another run that reads it.
  renameSync(outfile, file)
}

export default (): Promise<void> => bundleThread()
