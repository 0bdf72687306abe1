import { createHash } from 'node:crypto'
import { builtinModules, createRequire, isBuiltin } from 'node:module'
import { basename, dirname, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { UserError } from '../errors/user-error.ts'

/**
 * A module with all its imports in one text. Contract: the text that was hashed is the text that runs, and it loads no other file: a
 * computed `import()`, `require` and `createRequire` give it Node's own modules and this program's library, and nothing else.
 */
export interface ModuleBundle {
  readonly path: string
  readonly hash: string
  /** The text that was hashed, as a person reads it: with `process` and `globalThis` under their own names. */
  readonly text: string
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
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(path).href),
      ...Object.fromEntries(['process', 'globalThis.process', 'global.process'].map(name => [name, 'hashedProcess'])),
      ...Object.fromEntries(['globalThis', 'global'].map(name => [name, 'hashedGlobal'])),
    },
    // An `import()` that is left after bundling becomes a `require`, and so meets the one that knows no files.
    supported: { 'dynamic-import': false },
    banner: { js: requireLine },
    plugins: [ownLibrary],
  }).catch((error: { errors?: readonly BuildError[]; message: string }) => {
    throw new UserError(`${basename(path)} cannot be read: ${describe(error)}`, 1)
  })
  const code = built.outputFiles[0]?.text ?? ''
  const files = Object.keys(built.metafile.inputs)
    .filter(file => file !== `${ownProcess}:process`)
    .map(file => relative(dirname(path), `${dirname(path)}/${file}`))
  const hash = createHash('sha256').update(code).digest('hex')
  return { path, files, hash, text: readable(code), load: () => run(path, code) }
}

const readable = (code: string): string =>
  code
    .replace(requireLine, '')
    .replace(/\bhashedProcess\b/g, 'process')
    .replace(/\bhashedGlobal\b/g, 'globalThis')
    .trim()

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

/** For packages in the CommonJS form that load Node's own modules, and for imports whose name is computed. */
const requireLine =
  "const { require, process: hashedProcess, global: hashedGlobal } = globalThis[Symbol.for('turnbuckle.doors')];"

const doors = ['index', 'middleware', 'tools', 'stores', 'models', 'mcp', 'claude', 'testing'] as const

/** The namespace of `node:process`, which a trusted module gets as it gets the global one. */
const ownProcess = 'own-process'

const ownLibrary: Plugin = {
  name: 'own-library',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^turnbuckle(\/.*)?$/ }, ({ path }) => {
      const door = path === 'turnbuckle' ? 'index' : path.slice('turnbuckle/'.length)
      if (!(doors as readonly string[]).includes(door)) return { errors: [{ text: `There is no "${path}" here.` }] }
      return { path: `turnbuckle-door:${door}`, external: true }
    })
    onResolve({ filter: /^(node:)?module$/ }, () => ({ path: 'turnbuckle-door:module', external: true }))
    onResolve({ filter: /^(node:)?process$/ }, () => ({ path: 'process', namespace: ownProcess }))
    onLoad({ filter: /^/, namespace: ownProcess }, () => ({ contents: 'module.exports = process' }))
  },
}

async function run(path: string, code: string): Promise<unknown> {
  const used = [...doors, 'module' as const].filter(door => code.includes(`"turnbuckle-door:${door}"`))
  const urls = new Map<string, string>()
  for (const door of used) urls.set(door, await doorUrl(door))
  const linked = code.replace(/\b(from|import) "turnbuckle-door:(\w+)"/g, (whole, word: string, door: string) =>
    urls.has(door) ? `${word} ${JSON.stringify(urls.get(door))}` : whole,
  )
  putOnShelf('require', requireHashed)
  putOnShelf('process', hashedProcess)
  putOnShelf('global', hashedGlobal)
  try {
    return await import(/* @vite-ignore */ asUrl(linked))
  } catch (error) {
    throw new UserError(`${basename(path)} failed when it was loaded: ${(error as Error).message}`, 1)
  }
}

const asUrl = (code: string): string => `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
const shelf = Symbol.for('turnbuckle.doors')
const shelved = (): Readonly<Record<string, unknown>> => (globalThis as Record<symbol, object>)[shelf] as never
const putOnShelf = (name: string, value: unknown): void => {
  ;(globalThis as Record<symbol, object>)[shelf] = { ...shelved(), [name]: value }
}

/**
 * A module that re-exports this program's own library: a directive is recognised by its class, so there may be only
 * one copy.
 */
async function doorUrl(door: Door): Promise<string> {
  const module = await openDoor(door)
  putOnShelf(door, module)
  const names = Object.keys(module).filter(name => name !== 'default')
  return asUrl(
    `const door = globalThis[Symbol.for('turnbuckle.doors')][${JSON.stringify(door)}];\nexport const { ${names.join(', ')} } = door;\nexport default door;`,
  )
}

const ownRequire = createRequire(import.meta.url)

/** The `require` of a trusted module. Throws for a file: only the files that were hashed may run. */
function requireHashed(name: string): unknown {
  const door = /^turnbuckle-door:(\w+)$/.exec(name)?.[1] ?? (/^(node:)?module$/.test(name) ? 'module' : undefined)
  if (door === 'module') return hashedModule
  if (door !== undefined) return shelved()[door]
  if (/^(node:)?process$/.test(name)) return hashedProcess
  if (isBuiltin(name)) return ownRequire(name)
  throw notHashed(name)
}
const notHashed = (name: unknown): Error =>
  new Error(`"${name}" is not among the files that were trusted. Import it by a name that is written out.`)

/** Node's `module` for a trusted module, without the ways to load a file. */
const hashedModule = { builtinModules, isBuiltin, createRequire: () => requireHashed }

/** Ways of the process to load a file, as a trusted module has them: `getBuiltinModule` is the `require` that knows no files. */
const loaders: Readonly<Record<string | symbol, unknown>> = {
  getBuiltinModule: requireHashed,
  mainModule: undefined,
  binding: refuse,
  _linkedBinding: refuse,
  dlopen: (_module: unknown, file: unknown) => refuse(file),
}
function refuse(name: unknown): never {
  throw notHashed(name)
}
/** An object with other values under some names, also in the descriptors of its properties. */
const withInstead = <T extends object>(real: T, instead: () => Readonly<Record<string | symbol, unknown>>): T =>
  new Proxy(real, {
    get: (target, name) => (Object.hasOwn(instead(), name) ? instead()[name] : Reflect.get(target, name)),
    getOwnPropertyDescriptor(target, name) {
      const own = Reflect.getOwnPropertyDescriptor(target, name)
      if (!own || !Object.hasOwn(instead(), name)) return own
      return { value: instead()[name], writable: true, enumerable: own.enumerable ?? false, configurable: true }
    },
  })

/** The process as a trusted module has it. */
const hashedProcess = withInstead(process, () => loaders)

/** What a trusted module finds in the global object under these names. */
const globals = (): Readonly<Record<string | symbol, unknown>> => ({
  process: hashedProcess,
  globalThis: hashedGlobal,
  global: hashedGlobal,
})
/** The global object as a trusted module has it, so that no name of the process leads past the one above. */
const hashedGlobal: object = withInstead(globalThis, globals)

type Door = (typeof doors)[number] | 'module'

async function openDoor(door: Door): Promise<object> {
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
    case 'claude':
      return import('turnbuckle/claude')
    case 'testing':
      return import('turnbuckle/testing')
    case 'module':
      return hashedModule
  }
}
