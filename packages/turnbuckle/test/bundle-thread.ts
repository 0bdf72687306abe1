import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of programs that tests bundle. */
export const programs: string = join(root, 'node_modules/.cache/turnbuckle-programs')

/**
 * Bundles the program of the SQLite thread from its source into a folder, in which bundled stores look for it.
 * `database`: a module whose `openWhole` opens the thread's database in place of its own.
 */
export async function bundleThread(folder: string = programs, database?: string): Promise<void> {
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
    plugins: database === undefined ? [] : [opensWith(database)],
  })
  // At once, for another run that reads it.
  renameSync(outfile, file)
}

const opensWith = (database: string): Plugin => ({
  name: 'database of the thread',
  setup: ({ onResolve }) =>
    onResolve({ filter: /open-readable\.ts$/ }, ({ importer }) =>
      importer.endsWith('sqlite-thread.ts') ? { path: database } : undefined,
    ),
})

export default (): Promise<void> => bundleThread()
