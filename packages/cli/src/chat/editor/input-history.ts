import { join } from 'node:path'
import { readHomeFile, writeHomeFile } from '../../settings/home-folder.ts'

const most = 1000

/** Lines that were sent before, newest last, kept in the user's folder. */
export class InputHistory {
  readonly #path: string
  #lines: readonly string[]
  #at: number
  /** The unsent line from before the person began to look back. */
  #draft = ''

  constructor(home: string) {
    this.#path = join(home, 'history.json')
    this.#lines = readHomeFile<readonly string[]>(this.#path, [])
    this.#at = this.#lines.length
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Another chat may have added lines meanwhile: the file is read before it is written. */
  add(line: string): void {
    const withLine = (lines: readonly string[]) => (line === lines.at(-1) ? lines : [...lines, line].slice(-most))
    try {
      this.#lines = withLine(readHomeFile<readonly string[]>(this.#path, []))
      writeHomeFile(this.#path, this.#lines)
    } catch {
      // A home folder that cannot be written to does not stop the chat.
      this.#lines = withLine(this.#lines)
    }
    this.#at = this.#lines.length
  }

  /** The line before (-1) or after (1) the one that is shown. Nothing at the ends. */
  step(by: 1 | -1, current: string): string | undefined {
    const next = this.#at + by
    if (next < 0 || next > this.#lines.length) return undefined
    if (this.#at === this.#lines.length) this.#draft = current
    this.#at = next
    return next === this.#lines.length ? this.#draft : this.#lines[next]
  }
}
