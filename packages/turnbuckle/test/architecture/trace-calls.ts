import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import ts from 'typescript'
import { sourceAliases } from '../../../../scripts/source-aliases.mjs'
import { root } from '../bundle-program.ts'

/** Functions in the order they were called, as `packages/x/src/file.ts name`. */
export interface TracedModule<Exports> {
  readonly exports: Exports
  readonly calls: string[]
}

/** Loads a module with the sources of every package in it, each of whose named functions notes that it was called. */
export async function loadTraced<Exports>(entry: URL): Promise<TracedModule<Exports>> {
  const outfile = join(root, 'node_modules/.cache/turnbuckle-programs', `traced-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: sourceAliases(root),
    plugins: [notingCalls],
  })
  const calls: string[] = []
  Object.assign(globalThis, { noteCall: (name: string) => void calls.push(name) })
  return { exports: (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Exports, calls }
}

const notingCalls: Plugin = {
  name: 'noting-calls',
  setup({ onLoad }) {
    onLoad({ filter: /packages\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: withNotes(await readFile(path, 'utf8'), relative(root, path)),
      loader: 'ts',
    }))
  },
}

/** The source with a note at the beginning of every function that has a name. */
function withNotes(text: string, path: string): string {
  const inserts: [at: number, text: string][] = []
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true))
  return inserts
    .sort(([a], [b]) => b - a)
    .reduce((noted, [at, insert]) => noted.slice(0, at) + insert + noted.slice(at), text)

  function visit(node: ts.Node): void {
    const name = nameOf(node)
    const body = name && ts.isFunctionLike(node) && 'body' in node ? node.body : undefined
    const note = `noteCall(${JSON.stringify(`${path} ${name}`)})`
    if (body && ts.isBlock(body)) inserts.push([body.getStart() + 1, `${note};`])
    else if (body) inserts.push([body.getStart(), `(${note}, `], [body.getEnd(), ')'])
    ts.forEachChild(node, visit)
  }
}

/** The name of a function: its own, or that of the variable or member that holds it. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText()
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined
  const { parent } = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined
}
