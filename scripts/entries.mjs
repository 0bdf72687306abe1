import { existsSync, readFileSync } from 'node:fs'

const library = new URL('../packages/turnbuckle/', import.meta.url)

/**
 * The library's doors, read from the `exports` of its package.json, the one list of them:
 * `./stores` is built from `src/stores.ts` or `src/stores/index.ts`.
 * @returns {{ id: string, name: string, source: string }[]} what is imported, the name in dist, the absolute source path
 */
export function entries() {
  const { name: root, exports } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'))
  return Object.keys(exports)
    .filter(key => key !== './package.json')
    .map(key => {
      const name = key === '.' ? 'index' : key.slice(2)
      const source = [`src/${name}.ts`, `src/${name}/index.ts`]
        .map(path => new URL(path, library))
        .find(url => existsSync(url))
      if (!source) throw new Error(`packages/turnbuckle exports "${key}", but src/${name}.ts does not exist.`)
      return { id: key === '.' ? root : `${root}/${name}`, name, source: source.pathname }
    })
}
