import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The lines that tools and models have left, each with the process that wrote it. A line that a kill tore is left out: it was not synced. */
export const readWitnesses = folder =>
  readdirSync(folder).flatMap(name => {
    const pid = Number(/-(\d+)\.lines$/.exec(name)?.[1])
    return readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap(line => {
        try {
          return line ? [{ pid, ...JSON.parse(line) }] : []
        } catch {
          return []
        }
      })
  })
