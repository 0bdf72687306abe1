import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readOwn, writeOwn } from './home.ts'

/** Something of a project that would run, or be believed, on this machine. */
export interface Runnable {
  readonly kind: 'settings' | 'hook' | 'mcp' | 'store'
  readonly name: string
  /** For the person who is asked. */
  readonly does: string
  readonly hash: string
}

/** Asks the person whether all of these may run. Absent: there is nobody to ask. */
export type AskTrust = (items: readonly Runnable[], root: string) => Promise<boolean>

interface Kept {
  readonly [root: string]: readonly string[]
}

export const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** What a person has trusted, by folder and content. Kept in the user's folder, where no project can write to it. */
export class Trust {
  readonly #path: string

  constructor(home: string) {
    this.#path = join(home, 'trust.json')
  }

  has(root: string, item: Runnable): boolean {
    return (readOwn<Kept>(this.#path, {})[root] ?? []).includes(mark(item))
  }
  add(root: string, items: readonly Runnable[]): void {
    const kept = readOwn<Kept>(this.#path, {})
    const marks = new Set([...(kept[root] ?? []), ...items.map(mark)])
    writeOwn(this.#path, { ...kept, [root]: [...marks] })
  }

  /** The items that may run: those trusted before, and the others if the person says so now. */
  async settle(
    root: string,
    items: readonly Runnable[],
    ask: AskTrust | undefined,
  ): Promise<{ readonly trusted: ReadonlySet<Runnable>; readonly refused: readonly Runnable[] }> {
    const fresh = items.filter(item => !this.has(root, item))
    if (!fresh.length) return { trusted: new Set(items), refused: [] }
    if (await ask?.(fresh, root)) {
      this.add(root, fresh)
      return { trusted: new Set(items), refused: [] }
    }
    return { trusted: new Set(items.filter(item => !fresh.includes(item))), refused: fresh }
  }
}

const mark = ({ kind, name, hash }: Runnable): string => `${kind} ${name} ${hash}`

/** What the program says when it leaves something of the project out. */
export const untrustedNotice = (items: readonly Runnable[]): string =>
  `Not trusted, so not used: ${items.map(({ name }) => name).join(', ')}. Look at them, then run: turnbuckle hooks trust`
