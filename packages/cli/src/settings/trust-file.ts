import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { AuditEntry } from 'turnbuckle/client'
import { readHomeFile, writeHomeFile } from './home-folder.ts'

/** Something of a project that would run, or be believed, on this machine. */
export interface TrustItem {
  readonly kind: 'settings' | 'hook' | 'mcp' | 'store' | 'command'
  readonly name: string
  /** For the person who is asked. */
  readonly does: string
  readonly hash: string
  /** The content that the hash is of, for a person to read. */
  readonly text?: string
  /** The content that was trusted last under this name, where it is known. */
  readonly trustedText?: string
}

/** Asks the person whether all of these may run. Absent: there is nobody to ask. */
export type AskTrust = (items: readonly TrustItem[], root: string) => Promise<boolean>

interface Kept {
  readonly [root: string]: readonly string[]
}

/** When something was trusted, for the audit list. */
interface Trusted extends Pick<TrustItem, 'kind' | 'name' | 'hash'> {
  readonly at: number
  readonly root: string
  /** The person of the server who trusted it; absent for who sits at this machine. */
  readonly by?: string
}

const textPath = (home: string, hash: string): string => join(home, 'trusted', hash)
const trustedPath = (home: string): string => join(home, 'trusted.json')

/** What a person at this machine has trusted in a project, as entries of the audit list. */
export const trustedItems = (home: string, project: string): readonly AuditEntry[] =>
  readHomeFile<readonly Trusted[]>(trustedPath(home), [])
    .filter(({ root }) => root === project)
    .map(({ at, kind, name, hash, by = 'me' }) => ({
      id: `${new Date(at).toISOString()}-${hash.slice(0, 8)}`,
      at,
      by,
      act: 'trusted',
      what: `${kind} ${name}`,
    }))

export const contentHash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Contents that a person has trusted, by project folder and hash. Kept in the user's folder, where no project can
 * write.
 */
export class TrustFile {
  readonly #path: string
  readonly #home: string

  constructor(home: string) {
    this.#home = home
    this.#path = join(home, 'trust.json')
  }

  has(root: string, item: TrustItem): boolean {
    return (readHomeFile<Kept>(this.#path, {})[root] ?? []).includes(mark(item))
  }
  /** `by`: the person of the server, where it is not who sits at this machine. */
  add(root: string, items: readonly TrustItem[], by?: string): void {
    const kept = readHomeFile<Kept>(this.#path, {})
    const marks = new Set([...(kept[root] ?? []), ...items.map(mark)])
    writeHomeFile(this.#path, { ...kept, [root]: [...marks] })
    const at = Date.now()
    const who = by === undefined ? {} : { by }
    const trusted = items.map(({ kind, name, hash }) => ({ at, root, kind, name, hash, ...who }))
    for (const { hash, text } of items) if (text !== undefined) writeHomeFile(textPath(this.#home, hash), text)
    writeHomeFile(trustedPath(this.#home), [
      ...readHomeFile<readonly Trusted[]>(trustedPath(this.#home), []),
      ...trusted,
    ])
  }

  /** The item with the text that was trusted last under its name in a project, for a person to compare. */
  compared(root: string, item: TrustItem): TrustItem {
    const last = readHomeFile<readonly Trusted[]>(trustedPath(this.#home), []).findLast(
      one => one.root === root && one.kind === item.kind && one.name === item.name,
    )
    const trustedText = last && readHomeFile<string | undefined>(textPath(this.#home, last.hash), undefined)
    return trustedText === undefined ? item : { ...item, trustedText }
  }

  /** The items that may run: those trusted before, and the others if the person says so now. */
  async decide(
    root: string,
    items: readonly TrustItem[],
    ask: AskTrust | undefined,
  ): Promise<{ readonly trusted: ReadonlySet<TrustItem>; readonly refused: readonly TrustItem[] }> {
    const fresh = items.filter(item => !this.has(root, item))
    if (!fresh.length) return { trusted: new Set(items), refused: [] }
    const compared = fresh.map(item => this.compared(root, item))
    if (await ask?.(compared, root)) {
      this.add(root, fresh)
      return { trusted: new Set(items), refused: [] }
    }
    return { trusted: new Set(items.filter(item => !fresh.includes(item))), refused: fresh }
  }
}

const mark = ({ kind, name, hash }: TrustItem): string => `${kind} ${name} ${hash}`

/** Notice about parts of the project that were left out. */
export const untrustedNotice = (items: readonly TrustItem[]): string =>
  `Not trusted, so not used: ${items.map(({ name }) => name).join(', ')}. Look at them, then run: turnbuckle hooks trust`
