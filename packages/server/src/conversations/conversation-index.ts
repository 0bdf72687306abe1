import { createHash } from 'node:crypto'
import { textOf } from 'turnbuckle'
import type { ConversationSummary } from 'turnbuckle/client'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import { defaultOwner, indexSpace } from '../access/conversation-owner.ts'
import { titleFromText } from './title-from-text.ts'

/** Facts of a conversation that are known before its log is read. */
export interface IndexEntry {
  readonly owner: string
  readonly createdAt: number
  /** The title it was made with; a later one is in the log. */
  readonly title?: string
  /** The first message as a title, for as long as the conversation has no other. */
  readonly said?: string
  /** The deletion has begun: the conversation is not listed and not found any more. */
  readonly deleting?: boolean
}

/** A conversation of the list, with its sequence number and the time at which the store's log of it began. */
export interface ListedConversation {
  readonly id: string
  readonly owner: string
  readonly seq: number
  readonly begunAt: number | undefined
  readonly summary: ConversationSummary
}

/** The id of the conversation that a person's idempotency key makes. */
export const idForKey = (owner: string, key: string): string =>
  `conv_${createHash('sha256')
    .update(JSON.stringify([owner, key]))
    .digest('hex')
    .slice(0, 32)}`

/** The entries of all conversations: in the store, or, without a store, in memory. */
export class ConversationIndex {
  readonly #store: ConversationStore | undefined
  readonly #entries = new Map<string, IndexEntry>()
  /** Titles from the first messages of conversations that no server made, by conversation. */
  readonly #titles = new Map<string, string>()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  /** The entry of a conversation that can be opened; one that no server made has an entry by its row in the store. */
  async find(id: string): Promise<IndexEntry | undefined> {
    const entry = await this.#stored(id)
    if (entry) return entry.deleting ? undefined : entry
    const row = await this.#store?.conversation(id)
    return row && { owner: row.owner ?? defaultOwner, createdAt: row.createdAt }
  }
  async #stored(id: string): Promise<IndexEntry | undefined> {
    return this.#store ? ((await this.#store.get(indexSpace, id)) as IndexEntry | undefined) : this.#entries.get(id)
  }
  /** True for a conversation that a server made and that is not being deleted. */
  async isServerMade(id: string): Promise<boolean> {
    const entry = await this.#stored(id)
    return entry !== undefined && !entry.deleting
  }
  /** Replaces an entry; `undefined` removes it. `unsynced`: no disk is waited for. */
  async put(id: string, entry: IndexEntry | undefined, unsynced = false): Promise<void> {
    if (this.#store) await this.#store.set(indexSpace, id, entry, undefined, unsynced)
    else if (entry) this.#entries.set(id, entry)
    else this.#entries.delete(id)
  }
  /** Takes the first message as the title of a conversation that has none. */
  async addTitle({ id, owner, createdAt }: { readonly id: string } & IndexEntry, text: string): Promise<void> {
    const entry = await this.#stored(id)
    if (entry?.deleting || entry?.said !== undefined) return
    // The log has the message itself.
    await this.put(id, { owner, createdAt, ...entry, said: titleFromText(text) }, true)
  }

  /** Marks a conversation as being deleted while `erase` deletes its log. Where `erase` fails the entry is as before. */
  async remove(id: string, erase: (entry: IndexEntry) => Promise<void>): Promise<void> {
    const before = await this.#stored(id)
    const entry = before ?? (await this.find(id)) ?? { owner: defaultOwner, createdAt: Date.now() }
    await this.put(id, { ...entry, deleting: true })
    try {
      await erase(entry)
    } catch (error) {
      await this.put(id, before)
      throw error
    }
    // Another conversation may have been made under this id meanwhile: its entry stays.
    if ((await this.#stored(id))?.deleting) await this.put(id, undefined)
  }
  /** Ids of conversations whose deletion a process has begun and not finished. */
  async unfinishedDeletions(): Promise<readonly string[]> {
    const entries = ((await this.#store?.entries(indexSpace)) ?? []) as readonly [string, IndexEntry][]
    return entries.flatMap(([id, entry]) => (entry.deleting ? [id] : []))
  }

  /** Every conversation but those of sub-agents, which are shown at the call they work for. */
  async list(): Promise<ListedConversation[]> {
    if (!this.#store)
      return [...this.#entries].flatMap(([id, entry]) => (entry.deleting ? [] : listed(id, entry, undefined)))
    const rows = new Map((await this.#store.list({ limit: 100_000 })).map(row => [row.id, row]))
    const entries = new Map((await this.#store.entries(indexSpace)) as readonly [string, IndexEntry][])
    const found = [...entries].flatMap(([id, entry]) => (entry.deleting ? [] : listed(id, entry, rows.get(id))))
    for (const row of rows.values())
      if (!entries.has(row.id) && row.caller === undefined) found.push(await this.#withoutEntry(row))
    return found
  }
  async #withoutEntry(row: ConversationRow): Promise<ListedConversation> {
    const said = this.#titles.get(row.id) ?? titleFromText(textOf((await this.#store?.nodes(row.id))?.[0]?.message))
    this.#titles.set(row.id, said)
    return listed(row.id, { owner: row.owner ?? defaultOwner, createdAt: row.createdAt, said }, row)
  }
}

function listed(id: string, entry: IndexEntry, row: ConversationRow | undefined): ListedConversation {
  const usage = row?.usage ?? { inputTokens: 0, outputTokens: 0 }
  const summary: ConversationSummary = {
    id,
    title: row?.title ?? entry.said ?? '',
    head: row?.head ?? null,
    createdAt: entry.createdAt,
    updatedAt: row?.updatedAt ?? entry.createdAt,
    usage,
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
    running: false,
    waiting: 0,
  }
  return { id, owner: entry.owner, seq: row?.seq ?? 0, begunAt: row?.createdAt, summary }
}
