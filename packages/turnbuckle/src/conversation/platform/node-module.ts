/** The modules of Node that stores use. */
interface NodeModules {
  readonly 'node:crypto': typeof import('node:crypto')
  readonly 'node:fs': typeof import('node:fs')
  readonly 'node:module': typeof import('node:module')
  readonly 'node:os': typeof import('node:os')
  readonly 'node:path': typeof import('node:path')
  readonly 'node:worker_threads': typeof import('node:worker_threads')
}

const { process } = globalThis as { readonly process?: typeof globalThis.process }

/** True in Node, Bun and Deno; false in browsers and in workers at the edge. */
export const isNode: boolean = typeof process?.getBuiltinModule === 'function'

/** A module of Node, looked up when a store needs it and not imported: the stores also load where there is no Node. */
export const nodeModule = <Name extends keyof NodeModules>(name: Name): NodeModules[Name] =>
  process?.getBuiltinModule(name) as NodeModules[Name]
