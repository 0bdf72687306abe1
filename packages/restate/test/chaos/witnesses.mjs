import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that were read before, by path: most are of processes that have ended. */
const known = new Map()

/** The lines that tools and models have left, each with the process that wrote it. A line that a kill tore is left out: it was not synced. */
export const readWitnesses = folder => readdirSync(folder).flatMap(name => linesOf(join(folder, name)))

function linesOf(path) {
  const { size } = statSync(path)
  const before = known.get(path)
  if (before?.size === size) return before.lines
  const pid = Number(/-(\d+)\.lines$/.exec(path)?.[1])
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap(line => {
      try {
        return line ? [{ pid, ...JSON.parse(line) }] : []
      } catch {
        return []
      }
    })
  known.set(path, { size, lines })
  return lines
}
