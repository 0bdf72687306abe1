import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './program.ts'

/**
 * Fingerprints of what the version before did with generated programs, kept in a folder: the next comparison plays those
 * only with the new version. A folder belongs to one version and one state of the generator.
 */
export class KnownOutcomes {
  readonly #folder: string
  readonly #known = new Map<string, string>()
  #added: string[] = []

  constructor(folder: string) {
    this.#folder = folder
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) this.#take(line)
  }
  #take(line: string): void {
    const [key, print] = line.split('=')
    // A line that was cut off is not known.
    if (key && print?.length === printLength) this.#known.set(key, print)
  }

  /** True when the version before is known to have had the same outcome, letter by letter. */
  has(program: Program, lines: readonly string[]): boolean {
    return this.#known.get(keyOf(program)) === printOf(lines)
  }
  add(program: Program, lines: readonly string[]): void {
    const key = keyOf(program)
    if (this.#known.has(key)) return
    this.#known.set(key, printOf(lines))
    this.#added.push(`${key}=${printOf(lines)}\n`)
  }
  /** Writes what was added since the last time into a file of this process. */
  save(): void {
    mkdirSync(this.#folder, { recursive: true })
    appendFileSync(join(this.#folder, `${process.pid}.txt`), this.#added.join(''))
    this.#added = []
  }
}

const keyOf = ({ kind, seed }: Program): string => `${kind} ${seed}`
const printLength = 27
const printOf = (lines: readonly string[]): string =>
  createHash('sha1').update(lines.join('\n')).digest('base64url').slice(0, printLength)
