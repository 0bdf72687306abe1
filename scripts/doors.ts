import { existsSync } from 'node:fs'
import library from '../packages/turnbuckle/package.json' with { type: 'json' }

/** The `exports` of the library's package.json are the one list: `./stores` is `src/stores.ts` or `src/stores/index.ts`. */
function source(subpath: string): [name: string, path: string] {
  const name = subpath === '.' ? 'index' : subpath.slice(2)
  const path = [`src/${name}.ts`, `src/${name}/index.ts`].find(file => existsSync(`packages/turnbuckle/${file}`))
  if (path === undefined) throw new Error(`packages/turnbuckle exports "${subpath}" but has no src/${name}.ts`)
  return [name, path]
}

/** Name in dist → source, relative to packages/turnbuckle. */
export const doors: Record<string, string> = Object.fromEntries(
  Object.keys(library.exports)
    .filter(subpath => subpath !== './package.json')
    .map(source),
)
