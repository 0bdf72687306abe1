import { type FileName, fileNames, type Problem } from './protocol.ts'

const place = /\b(hook|agent)\.ts:(\d+)(?::(\d+))?/

/** The place in a visitor's file that a stack names first. */
function placeOf(stack: string): Omit<Problem, 'message'> {
  const [, name, line, column] = place.exec(stack) ?? []
  const file = fileNames.find(known => known === `${name}.ts`)
  return file ? { file, line: Number(line), ...(column ? { column: Number(column) } : {}) } : {}
}

/** The error as a problem. Its place is that of the innermost cause which has one: a hook's own throw, below the loop's words for it. */
export function locateError(error: unknown): Problem {
  let found: Omit<Problem, 'message'> = {}
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const here = placeOf(cause.stack ?? '')
    if (here.file) found = here
  }
  return { message: error instanceof Error ? error.message : String(error), ...found }
}

/** An error that the compiler of `file` threw: it ends with `(line:column)`. */
export function locateSyntaxError(error: unknown, file: FileName): Problem {
  const text = error instanceof Error ? error.message : String(error)
  const [, line, column] = /\((\d+):(\d+)\)\s*$/.exec(text) ?? []
  const message = text.replace(/^Error transforming [^:]+: /, '').replace(/\s*\(\d+:\d+\)\s*$/, '')
  return { message, file, ...(line ? { line: Number(line), column: Number(column) } : {}) }
}
