import type { AuditEntry } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'

/** One space a month, so that reading the newest entries does not read all. */
const spaceOf = (month: string): string => `server.audit.${month}`
const monthsSpace = 'server.audit'

type NewEntry = Omit<AuditEntry, 'id' | 'at'>

interface AuditPage {
  readonly limit: number
  /** The last id of the page before. */
  readonly before?: string | undefined
}

/**
 * Who answered, voted, granted, switched, shared, and made or revoked whom. Entries are added and never changed, also where their
 * conversation is deleted, and have nothing of a conversation's text: owners read them, and not others' conversations.
 */
export class AuditList {
  readonly #store: ConversationStore | undefined
  readonly #months = new Set<string>()
  #kept: readonly AuditEntry[] = []
  #lastAt = 0

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  /** Resolves when the store has it. */
  async add(entry: NewEntry): Promise<void> {
    const at = Math.max(Date.now(), this.#lastAt + 1)
    this.#lastAt = at
    // Ids sort by time; two servers on one store do not make the same.
    const id = `${new Date(at).toISOString()}-${crypto.randomUUID().slice(0, 8)}`
    const whole: AuditEntry = { id, at, ...entry }
    if (!this.#store) this.#kept = [whole, ...this.#kept]
    else await this.#write(this.#store, whole)
  }
  async #write(store: ConversationStore, entry: AuditEntry): Promise<void> {
    const month = entry.id.slice(0, 7)
    if (!this.#months.has(month)) await store.set(monthsSpace, month, true)
    this.#months.add(month)
    await store.set(spaceOf(month), entry.id, entry)
  }

  /** A page, newest first. `others`: entries that are kept elsewhere, with ids of the same form. */
  async list(page: AuditPage, others: readonly AuditEntry[] = []): Promise<readonly AuditEntry[]> {
    const kept = this.#store ? await readAudit(this.#store, page) : pageOf(this.#kept, page)
    return others.length ? newestFirst([...kept, ...pageOf(newestFirst(others), page)]).slice(0, page.limit) : kept
  }
}

/** A page of a store's audit list, newest first. */
export async function readAudit(store: ConversationStore, page: AuditPage): Promise<readonly AuditEntry[]> {
  const months = (await store.entries(monthsSpace))
    .map(([month]) => month)
    .sort()
    .reverse()
  const found: AuditEntry[] = []
  for (const month of months) {
    if (page.before !== undefined && month > page.before.slice(0, 7)) continue
    const entries = (await store.entries(spaceOf(month))).map(([, entry]) => entry as AuditEntry)
    found.push(...pageOf(newestFirst(entries), page))
    if (found.length >= page.limit) break
  }
  return found.slice(0, page.limit)
}

const newestFirst = (entries: readonly AuditEntry[]): readonly AuditEntry[] =>
  [...entries].sort((a, b) => (a.id < b.id ? 1 : -1))

const pageOf = (entries: readonly AuditEntry[], { limit, before }: AuditPage): readonly AuditEntry[] =>
  entries.filter(({ id }) => before === undefined || id < before).slice(0, limit)
