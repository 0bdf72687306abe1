import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))
const source = (path: string): string => join(root, 'packages/turnbuckle/src', path)

/** A program of this folder as one file, so that it starts quickly. It lies where packages are found. */
export async function bundleChild(name: string): Promise<string> {
  const outfile = join(root, `node_modules/.cache/turnbuckle-children/${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: {
      turnbuckle: source('index.ts'),
      'turnbuckle/stores': source('stores/index.ts'),
      'turnbuckle/testing': source('testing/index.ts'),
    },
  })
  return outfile
}
