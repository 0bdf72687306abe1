import { transform } from 'sucrase'
import { locateError, locateSyntaxError } from './locate-error.ts'
import { type FileName, type Files, fileNames, type Problem } from './protocol.ts'

type Exports = Record<string, unknown>

/** Thrown for a mistake in a visitor's file. */
export class FileError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Runs `agent.ts`, and `hook.ts` when it is imported, with `modules` for everything else. Gives what `agent.ts` exports. */
export async function runFiles(files: Files, modules: Readonly<Record<string, object>>): Promise<Exports> {
  const loaded = new Map<FileName, Promise<Exports>>()
  const load = (name: FileName): Promise<Exports> => {
    const known = loaded.get(name)
    if (known) return known
    const exports = runFile(name, files[name], modules, load)
    loaded.set(name, exports)
    return exports
  }
  return load('agent.ts')
}

async function runFile(
  name: FileName,
  source: string,
  modules: Readonly<Record<string, object>>,
  load: (name: FileName) => Promise<Exports>,
): Promise<Exports> {
  const code = compile(name, source)
  const own = await importedFiles(name, source, load)
  const require = (from: string): object => {
    const found = own.get(from) ?? modules[from]
    if (found) return found
    throw new Error(`There is no "${from}" here. There are ${Object.keys(modules).join(', ')} and the other file.`)
  }
  const exports: Exports = {}
  try {
    await evaluate(name, code)(require, exports)
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(locateError(error))
  }
  return exports
}

/** Types are taken out and imports become calls of `require`; every line stays where it was. */
function compile(name: FileName, source: string): string {
  try {
    return transform(source, { transforms: ['typescript', 'imports'], disableESTransforms: true, filePath: name }).code
  } catch (error) {
    throw new FileError(locateSyntaxError(error, name))
  }
}

/** The other file, where this one imports it: it may wait, so it runs first. */
async function importedFiles(
  name: FileName,
  source: string,
  load: (name: FileName) => Promise<Exports>,
): Promise<Map<string, Exports>> {
  const found = new Map<string, Exports>()
  for (const other of fileNames) {
    const path = other.replace('.ts', '')
    const [, from] = new RegExp(`from\\s*['"](\\./${path}(?:\\.[jt]s)?)['"]`).exec(source) ?? []
    if (!from) continue
    if (name === 'hook.ts')
      throw new FileError({ message: 'hook.ts is imported by agent.ts and cannot import it.', file: name, line: 1 })
    found.set(from, await load(other))
  }
  return found
}

// biome-ignore lint/security/noGlobalEval: running what a visitor writes is the point, in a worker that can be ended
const indirectEval = globalThis.eval

type Program = (require: (from: string) => object, exports: Exports) => Promise<void>

/** Indirect: the code sees the worker's globals alone. `sourceURL` names the file in stacks, and the code begins on its first line. */
function evaluate(name: FileName, code: string): Program {
  try {
    return indirectEval(`(async (require, exports) => {${code}\n})\n//# sourceURL=${name}`) as Program
  } catch (error) {
    throw new FileError({ ...locateError(error), file: name })
  }
}
