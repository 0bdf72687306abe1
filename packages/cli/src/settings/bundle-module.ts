import { createHash } from 'node:crypto'
import { basename, dirname, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { UserError } from '../errors/user-error.ts'

/** A module with all its imports in one text. Contract: the text that was hashed is the text that runs. */
export interface ModuleBundle {
  readonly path: string
  readonly hash: string
  /** The files that are in it. */
  readonly files: readonly string[]
  /** Runs it. The same text is run once per process. */
  load(): Promise<unknown>
}

/** Reads a `.ts` or `.js` module and its imports without running them. `turnbuckle` means this program's own. */
export async function bundleModule(path: string): Promise<ModuleBundle> {
  const { build } = await import('esbuild')
  const built = await build({
    entryPoints: [path],
    absWorkingDir: dirname(path),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) },
    banner: { js: requireLine(path) },
    plugins: [ownLibrary],
  }).catch((error: { errors?: readonly BuildError[]; message: string }) => {
    throw new UserError(`${basename(path)} cannot be read: ${describe(error)}`, 1)
  })
  const code = built.outputFiles[0]?.text ?? ''
  const files = Object.keys(built.metafile.inputs).map(file => relative(dirname(path), `${dirname(path)}/${file}`))
  return { path, files, hash: createHash('sha256').update(code).digest('hex'), load: () => run(path, code) }
}

interface BuildError {
  readonly text: string
  readonly location?: { readonly file: string; readonly line: number } | null
}

function describe({ errors, message }: { errors?: readonly BuildError[]; message: string }): string {
  const [first] = errors ?? []
  if (!first) return message
  if (!first.location && first.text.startsWith('Could not resolve')) return 'there is no such file'
  return first.location ? `${first.text} (${first.location.file}:${first.location.line})` : first.text
}

/** For packages in the CommonJS form that load Node's own modules. */
const requireLine = (path: string): string =>
  `import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(${JSON.stringify(path)});`

const doors = ['index', 'middleware', 'tools', 'stores', 'models', 'mcp'] as const

const ownLibrary: Plugin = {
  name: 'own-library',
  setup({ onResolve }) {
    onResolve({ filter: /^turnbuckle(\/.*)?$/ }, ({ path }) => {
      const door = path === 'turnbuckle' ? 'index' : path.slice('turnbuckle/'.length)
      if (!(doors as readonly string[]).includes(door)) return { errors: [{ text: `There is no "${path}" here.` }] }
      return { path: `turnbuckle-door:${door}`, external: true }
    })
  },
}

async function run(path: string, code: string): Promise<unknown> {
  const used = doors.filter(door => code.includes(`"turnbuckle-door:${door}"`))
  let linked = code
  for (const door of used) linked = linked.replaceAll(`"turnbuckle-door:${door}"`, JSON.stringify(await doorUrl(door)))
  try {
    return await import(/* @vite-ignore */ asUrl(linked))
  } catch (error) {
    throw new UserError(`${basename(path)} failed when it was loaded: ${(error as Error).message}`, 1)
  }
}

const asUrl = (code: string): string => `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
const shelf = Symbol.for('turnbuckle.doors')

/**
 * A module that re-exports this program's own library: a directive is recognised by its class, so there may be only
 * one copy.
 */
async function doorUrl(door: (typeof doors)[number]): Promise<string> {
  const module = await openDoor(door)
  const all = globalThis as Record<symbol, Readonly<Record<string, unknown>> | undefined>
  all[shelf] = { ...all[shelf], [door]: module }
  const names = Object.keys(module).filter(name => name !== 'default')
  return asUrl(
    `const door = globalThis[Symbol.for('turnbuckle.doors')][${JSON.stringify(door)}];\nexport const { ${names.join(', ')} } = door;`,
  )
}

function openDoor(door: (typeof doors)[number]): Promise<object> {
  switch (door) {
    case 'index':
      return import('turnbuckle')
    case 'middleware':
      return import('turnbuckle/middleware')
    case 'tools':
      return import('turnbuckle/tools')
    case 'stores':
      return import('turnbuckle/stores')
    case 'models':
      return import('turnbuckle/models')
    case 'mcp':
      return import('turnbuckle/mcp')
  }
}
