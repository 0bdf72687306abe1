import { fstatSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'

/** Milliseconds in which a socket has to say something: a service's standard input may stay open and silent for ever. */
const silenceMs = 1000

/**
 * Standard input beside a prompt; empty on a terminal. A file and a pipe are read to their end, however long the program
 * before the pipe takes; anything else counts only if it begins soon.
 */
export async function readInput(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return ''
  const kind = fstatSync(0)
  if (!kind.isFIFO() && !kind.isFile() && !(await beginsSoon(stdin))) {
    stdin.destroy()
    return ''
  }
  return readAll(stdin)
}

/** True when there is something to read, or the end. */
const beginsSoon = (stream: NodeJS.ReadStream): Promise<boolean> =>
  new Promise(resolve => {
    const limit = setTimeout(() => resolve(false), silenceMs)
    stream.once('readable', () => {
      clearTimeout(limit)
      resolve(true)
    })
  })
