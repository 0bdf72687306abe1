import { createHash } from 'node:crypto'
import type { ConversationSummary } from 'turnbuckle/client'
import type { ConversationRow, ConversationStore, Place } from 'turnbuckle/stores'
import { defaultOwner, indexSpace } from '../../access/conversation-owner.ts'
import { titleFromMessage, titleFromText } from './title-from-text.ts'

/** Entries of conversations that were made and may have no log yet: the store's list lacks them. */
const unbegunSpace = 'server.unbegun'
/** Rows that are read at once for a list. */
const pageSize = 100

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

/** The entry of a conversation that can be opened. */
export interface FoundEntry extends IndexEntry {
  /** Of a sub-agent's conversation: the one that it works for in the end. */
  readonly root?: RootConversation
}
export interface RootConversation {
  readonly id: string
  readonly owner: string
}

/** A conversation of the list, with its sequence number and the time at which the store's log of it began. */
export interface ListedConversation {
  readonly id: string
  readonly owner: string
  readonly seq: number
  readonly begunAt: number | undefined
  readonly summary: ConversationSummary
}

/** True for the conversations that somebody's list has. */
type Sees = (one: ListedConversation) => boolean

/** The id of the conversation that a person's idempotency key makes. `taken`: how many of that key's ids are conversations of others. */
export const idForKey = (owner: string, key: string, taken = 0): string =>
  `conv_${createHash('sha256')
    .update(JSON.stringify(taken ? [owner, key, taken] : [owner, key]))
    .digest('hex')
    .slice(0, 32)}`

/** The entries of all conversations: in the store, or, without a store, in memory. */
export class ConversationIndex {
  readonly #store: ConversationStore | undefined
  readonly #entries = new Map<string, IndexEntry>()
  /** Titles from the first messages of conversations that no server made, by conversation. */
  readonly #titles = new Map<string, string>()
  /** Open conversations that are known to have a title: no turn of theirs asks the store again. */
  readonly #titled = new WeakSet<object>()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  /** The entry of a conversation that can be opened; one that no server made has an entry by its row in the store. */
  async find(id: string): Promise<FoundEntry | undefined> {
    const [entry, row] = await Promise.all([this.#stored(id), this.#begunRow(id)])
    if (entry?.deleting) return undefined
    if (row?.caller !== undefined) {
      const root = await this.#rootOf(row.caller)
      // Whoever has an entry under its id: the conversation is of the person whom the sub-agent works for.
      return root && { createdAt: row.createdAt, ...entry, owner: root.owner, root }
    }
    if (entry) return entry
    return row && { owner: row.owner ?? defaultOwner, createdAt: row.createdAt }
  }
  /**
   * The id of the conversation that a person's idempotency key makes. Whoever guesses the key can make a conversation under the id, where a
   * client chooses ids: one of somebody else is passed over.
   */
  async findIdForKey(owner: string, key: string): Promise<string> {
    for (let taken = 0; ; taken++) {
      const id = idForKey(owner, key, taken)
      const known = await this.find(id)
      if (!known || known.owner === owner) return id
    }
  }
  /** The conversation that a sub-agent works for in the end, by the turn that called it; `undefined` where that is deleted. */
  async #rootOf(callerTurn: string): Promise<RootConversation | undefined> {
    const [turn] = (await this.#store?.turns({ id: callerTurn })) ?? []
    const caller = turn && (await this.find(turn.conversation))
    return caller && (caller.root ?? { id: turn.conversation, owner: caller.owner })
  }
  /**
   * True for an id that only a sub-agent's conversation may begin under: it is named after the turn and the call that it works for. By its
   * form, since a turn's id may be known before it begins; by the turns, since an agent may have ids of its own.
   */
  async isSubAgents(id: string): Promise<boolean> {
    if (/^turn_.*\./.test(id)) return true
    for (let dot = id.indexOf('.'); dot > 0; dot = id.indexOf('.', dot + 1))
      if ((await this.#store?.turns({ id: id.slice(0, dot) }))?.length) return true
    return false
  }
  /** The row of a conversation whose log has begun: a writer that came too late for a deleted one makes an empty row, for a moment. */
  async #begunRow(id: string): Promise<ConversationRow | undefined> {
    const row = await this.#store?.conversation(id)
    return row?.n ? row : undefined
  }
  async #stored(id: string): Promise<IndexEntry | undefined> {
    return this.#store ? ((await this.#store.get(indexSpace, id)) as IndexEntry | undefined) : this.#entries.get(id)
  }
  /** True for a conversation that a server made and that is not being deleted. */
  async isServerMade(id: string): Promise<boolean> {
    const entry = await this.#stored(id)
    return entry !== undefined && !entry.deleting
  }
  /** True for the place of an entry in the store. */
  isEntry({ space }: { readonly space: string }): boolean {
    return space === indexSpace
  }
  /** Replaces an entry; `undefined` removes it. `unsynced`: no disk is waited for. */
  async put(id: string, entry: IndexEntry | undefined, unsynced = false): Promise<void> {
    if (this.#store) {
      // The two are asked for together, and go into one commit.
      const unbegun = entry && entry.said === undefined && !entry.deleting ? entry.createdAt : undefined
      await Promise.all([
        this.#store.set(indexSpace, id, entry, undefined, unsynced),
        this.#store.set(unbegunSpace, id, unbegun, undefined, unsynced),
      ])
    } else if (entry) this.#entries.set(id, entry)
    else this.#entries.delete(id)
  }
  /** Takes the first message as the title of a conversation that has none. One that is deleted meanwhile gets no entry again. */
  async addTitle(conversation: { readonly id: string } & IndexEntry, text: string): Promise<void> {
    if (this.#titled.has(conversation)) return
    const { id, owner, createdAt } = conversation
    const entry = await this.#stored(id)
    if (entry?.said !== undefined) this.#titled.add(conversation)
    if (entry?.deleting || entry?.said !== undefined) return
    const hasBegun = (await this.#begunRow(id)) !== undefined
    // Without an entry it is one that no server made, or a deleted one.
    if (!entry && !hasBegun) return
    // The log has the message itself.
    await this.put(id, { owner, createdAt, ...entry, said: titleFromText(text) }, true)
    // A log that is gone was deleted meanwhile. One that has not begun may be about to, where an engine has the turn.
    if (hasBegun && !(await this.#begunRow(id))) await this.put(id, undefined)
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
    // Another conversation may have been made under this id meanwhile: its entry stays. A title may have been written over the mark.
    const left = await this.#stored(id)
    const isTitled = left?.said !== undefined && left.createdAt === entry.createdAt
    if (left?.deleting || isTitled) await this.put(id, undefined)
  }
  /**
   * As `remove`, of a conversation, the last, and of those that go with it. All are marked before `erase` begins: a process that ends
   * meanwhile leaves none that nobody finds.
   */
  async removeAll(ids: readonly string[], erase: (entry: IndexEntry) => Promise<void>): Promise<void> {
    const [id = '', ...others] = ids
    await this.remove(id, entry => (others.length ? this.removeAll(others, erase) : erase(entry)))
  }
  /** Ids of conversations whose deletion a process has begun and not finished. */
  async unfinishedDeletions(): Promise<readonly string[]> {
    const entries = ((await this.#store?.entries(indexSpace)) ?? []) as readonly [string, IndexEntry][]
    return entries.flatMap(([id, entry]) => (entry.deleting ? [id] : []))
  }

  /**
   * A page of the conversations that a person sees, newest first, those of one moment by id. Conversations of sub-agents are shown at
   * the call they work for, and not here. The store is read in pages, so that a long list costs what is shown of it.
   */
  async list(sees: Sees, limit: number, before?: Place): Promise<ListedConversation[]> {
    const found = (await this.#unbegun()).filter(one => sees(one) && isBefore(placeOf(one), before))
    for (let place = before, rows: readonly ConversationRow[] | undefined; !rows || rows.length === pageSize; ) {
      rows = (await this.#store?.list({ limit: pageSize, before: place })) ?? []
      const listedRows = await Promise.all(rows.map(row => this.#listedRow(row)))
      found.push(...listedRows.filter(one => one !== undefined && sees(one)).map(one => one as ListedConversation))
      place = rows.at(-1)
      if (found.filter(one => one.begunAt !== undefined).length >= limit) break
    }
    return found.sort((a, b) => (isBefore(placeOf(b), placeOf(a)) ? -1 : 1)).slice(0, limit)
  }
  /** Conversations that were made and have no log yet. */
  async #unbegun(): Promise<ListedConversation[]> {
    const store = this.#store
    if (!store) return [...this.#entries].flatMap(([id, entry]) => (entry.deleting ? [] : listed(id, entry, undefined)))
    const ids = (await store.entries(unbegunSpace)).map(([id]) => id)
    const found = await Promise.all(
      ids.map(async id => {
        const [entry, row] = await Promise.all([this.#stored(id), store.conversation(id)])
        return entry && !entry.deleting && !row ? [listed(id, entry, undefined)] : []
      }),
    )
    return found.flat()
  }
  /** A conversation by its row in the store, `undefined` where it is a sub-agent's or is being deleted. */
  async #listedRow(row: ConversationRow): Promise<ListedConversation | undefined> {
    if (row.caller !== undefined) return undefined
    const entry = await this.#stored(row.id)
    if (entry) return entry.deleting ? undefined : listed(row.id, entry, row)
    return row.n ? this.#withoutEntry(row) : undefined
  }
  /** A conversation that a person sees, as the list has it. */
  async listed(sees: Sees, id: string): Promise<ListedConversation | undefined> {
    const row = await this.#store?.conversation(id)
    const entry = row ? undefined : await this.#stored(id)
    const one = row ? await this.#listedRow(row) : entry && !entry.deleting ? listed(id, entry, undefined) : undefined
    return one && sees(one) ? one : undefined
  }
  async #withoutEntry(row: ConversationRow): Promise<ListedConversation> {
    const said = this.#titles.get(row.id) ?? titleFromMessage((await this.#store?.nodes(row.id))?.[0]?.message)
    this.#titles.set(row.id, said)
    return listed(row.id, { owner: row.owner ?? defaultOwner, createdAt: row.createdAt, said }, row)
  }
}

const placeOf = ({ id, summary: { updatedAt } }: ListedConversation): Place => ({ id, updatedAt })

/** True where a place of the list comes behind another, which is the last of the page before. */
const isBefore = (place: Place, other: Place | undefined): boolean =>
  !other || place.updatedAt < other.updatedAt || (place.updatedAt === other.updatedAt && place.id > other.id)

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
