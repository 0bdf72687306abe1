import type { ConversationSummary, SearchHit } from 'turnbuckle/client'
import type { ConversationStore, Hit } from 'turnbuckle/stores'
import type { ConversationAccess } from '../access/conversation-access.ts'
import { notFound } from '../base/not-found.ts'
import { type ListChange, ListWatchers } from '../feeds/list-watchers.ts'
import type { OpenConversation } from './open/open-conversation.ts'
import type { OpenConversations } from './open/open-conversations.ts'
import { type FoundConversation, searchExcerpts } from './search-excerpts.ts'
import type { ConversationIndex, ListedConversation } from './stored/conversation-index.ts'

const mostHits = 50
/** Messages that the store is asked for, and asked for where a person does not see enough of those. */
const searchLimits = [100, 1000]

/** The topic of news that a conversation is not there any more for somebody: the store's rows of it are gone by then. */
const goneTopic = 'server.gone'

interface GoneNews {
  readonly person: string
  readonly conversationId: string
  readonly by: string
}

/** The part of a summary that another process makes true. */
type TurnsElsewhere = Pick<ConversationSummary, 'running' | 'waiting'>

export interface ConversationListOptions {
  readonly store: ConversationStore | undefined
  readonly index: ConversationIndex
  readonly open: OpenConversations
  readonly access: ConversationAccess
}

/** The list of conversations as each person sees it: its pages, its search, and those who watch it. */
export class ConversationList {
  readonly #store: ConversationStore | undefined
  readonly #index: ConversationIndex
  readonly #open: OpenConversations
  readonly #access: ConversationAccess
  readonly #watchers = new ListWatchers()
  /** Tells this server's news from that of others. */
  readonly #name = crypto.randomUUID()

  constructor({ store, index, open, access }: ConversationListOptions) {
    this.#store = store
    this.#index = index
    this.#open = open
    this.#access = access
  }

  /** Newest activity first; `before` is the last id of the page before. */
  async page(person: string, limit: number, before?: string): Promise<ConversationSummary[]> {
    if (!this.#store) return this.#pageOfOpen(person, limit, before)
    const last = before === undefined ? undefined : await this.#index.listed(this.#seenBy(person), before)
    if (before !== undefined && !last) throw notFound('conversation', before)
    const place = last && { id: last.id, updatedAt: last.summary.updatedAt }
    const listed = await this.#index.list(this.#seenBy(person), limit, place)
    const elsewhere = await this.#elsewhere()
    await this.#readOn(listed)
    return listed.map(one => this.#current(person, one, elsewhere.get(one.id)))
  }
  /** Has open conversations that are behind their logs know the title and the head. One that cannot be read is listed as it is known. */
  async #readOn(listed: readonly ListedConversation[]): Promise<void> {
    const behind = listed.filter(({ id }) => this.#open.get(id)?.log.mustReadOn)
    await Promise.all(behind.map(({ id }) => this.#open.load(id).catch(() => undefined)))
  }
  /** Conversations that are not open here and have unfinished turns. Asked for where several processes share the store. */
  async #elsewhere(id?: string): Promise<ReadonlyMap<string, TurnsElsewhere>> {
    const store = this.#store
    if (!store?.channel) return new Map()
    const turns = await store.turns({ status: 'open', ...(id === undefined ? {} : { conversation: id }) })
    const ids = [...new Set(turns.map(({ conversation }) => conversation))].filter(one => !this.#open.get(one))
    const found = ids.map(async one => {
      const [row, requests] = await Promise.all([store.conversation(one), store.requests({ conversation: one })])
      return [one, { running: row?.held ?? false, waiting: requests.length }] as const
    })
    return new Map(await Promise.all(found))
  }
  /** Without a store every conversation is open. */
  async #pageOfOpen(person: string, limit: number, before: string | undefined): Promise<ConversationSummary[]> {
    const all = (await this.#index.list(this.#seenBy(person), Infinity)).map(one => this.#current(person, one))
    all.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
    const last = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
    if (before !== undefined && last < 0) throw notFound('conversation', before)
    return all.slice(last + 1, last + 1 + limit)
  }
  #seenBy(person: string): (one: ListedConversation) => boolean {
    return one => this.#access.sees(person, one)
  }
  /** The summary of a conversation, as a person is told of it. */
  summary(person: string, conversation: OpenConversation): ConversationSummary {
    return { ...conversation.summary(), ...this.#access.sharing(person, conversation) }
  }
  /** The summary of a conversation that is open here, unless the store's row of it is newer. */
  #current(person: string, listed: ListedConversation, elsewhere?: TurnsElsewhere): ConversationSummary {
    const { id, owner, seq, begunAt, summary } = listed
    const open = this.#open.get(id)
    // Another process may have gone on with the log, or made another conversation under its id.
    const same = open?.log.begunAt === undefined || open.log.begunAt === begunAt
    if (open && (open.runningTurns.length || (same && open.log.seq >= seq))) return this.summary(person, open)
    const running = elsewhere?.running || this.#open.willResume(id)
    return { ...summary, ...elsewhere, running, ...this.#access.sharing(person, { id, owner }) }
  }

  /** Messages that hold a text, newest first. The store's own search is asked; no conversation is opened for it. */
  async search(person: string, query: string): Promise<SearchHit[]> {
    const store = this.#store
    if (!store) return firstHits(this.#allOpen(person), query)
    let hits: SearchHit[] = []
    for (const limit of searchLimits) {
      const found = await store.search({ text: query, limit })
      hits = await firstHits(this.#seenAmong(found, person), query)
      if (hits.length >= mostHits || found.length < limit) break
    }
    return hits
  }
  async *#allOpen(person: string): AsyncGenerator<FoundConversation> {
    for (const { id } of await this.page(person, Infinity)) {
      const conversation = this.#open.get(id)
      if (conversation) yield conversation.view()
    }
  }
  async *#seenAmong(hits: readonly Hit[], person: string): AsyncGenerator<FoundConversation> {
    const nodes = new Map<string, FoundConversation['nodes'][number][]>()
    for (const { conversation, node } of hits) {
      const known = nodes.get(conversation)
      const found = { message: node.message, createdAt: node.at }
      if (known) known.unshift(found)
      else nodes.set(conversation, [found])
    }
    const all = [...nodes]
    // The store is asked for many at once: each question alone would be a way to it and back.
    for (let from = 0; from < all.length; from += mostHits) {
      const some = all.slice(from, from + mostHits)
      const seen = await Promise.all(some.map(([id]) => this.#index.listed(this.#seenBy(person), id)))
      await this.#readOn(seen.filter(one => one !== undefined))
      for (const [i, [id, found]] of some.entries()) {
        const one = seen[i]
        if (one) yield { id, title: this.#current(person, one).title, nodes: found }
      }
    }
  }

  /** Follows the list: conversations that are new, renamed, running, waiting or deleted. Returns how to stop. */
  watch(person: string, tell: (change: ListChange) => void): () => void {
    return this.#watchers.add(person, tell)
  }
  /** Tells that a middleware was switched: to one person, or, without one, to all. */
  announceSwitch(person: string | undefined): void {
    if (person === undefined) this.#watchers.tellAll({ type: 'switches.changed' })
    else this.#watchers.tell(person, { type: 'switches.changed' })
  }
  /** Tells a conversation's new summary to those who see it, and to those whom it asks something. What another process has written is read first. */
  announce(conversation: OpenConversation): void {
    if (this.#watchers.isEmpty || !this.#open.get(conversation.id)) return
    // A store that fails is read by the next who opens it.
    if (conversation.log.mustReadOn) void this.#announceRead(conversation.id).catch(() => {})
    else this.#tellSummary(conversation)
  }
  async #announceRead(id: string): Promise<void> {
    const current = await this.#open.load(id)
    if (current) this.#tellSummary(current)
  }
  #tellSummary(conversation: OpenConversation): void {
    for (const person of conversation.requests.askedPeople)
      if (person !== conversation.owner) this.#watchers.tell(person, { type: 'requests.changed' })
    for (const person of this.#access.peopleOf(conversation))
      this.#watchers.tell(person, { type: 'conversation.changed', conversation: this.summary(person, conversation) })
  }
  /** Tells the summary of a conversation that is not open here and that another process has changed, as the store has it. */
  async announceStored(id: string): Promise<void> {
    if (this.#watchers.isEmpty || this.#open.get(id)) return
    const listed = await this.#index.listed(() => true, id)
    if (!listed) return
    const elsewhere = (await this.#elsewhere(id)).get(id)
    for (const person of this.#access.peopleOf(listed)) {
      const conversation = this.#current(person, listed, elsewhere)
      this.#watchers.tell(person, { type: 'conversation.changed', conversation })
    }
  }
  /** Tells that for this person the conversation is not there any more, also those who watch at other servers on the store. */
  announceGone(person: string, conversationId: string): void {
    this.#tellGone({ person, conversationId })
    this.#store?.channel?.publish(goneTopic, { person, conversationId, by: this.#name } satisfies GoneNews)
  }
  #tellGone({ person, conversationId }: Omit<GoneNews, 'by'>): void {
    this.#watchers.tell(person, { type: 'conversation.deleted', conversationId })
  }
  /** Hears of conversations that other servers say are gone. Returns how to stop. */
  hearOthers(): () => void {
    const hear = (news: unknown) => {
      if ((news as GoneNews).by !== this.#name) this.#tellGone(news as GoneNews)
    }
    return this.#store?.channel?.listen(goneTopic, { hear }) ?? (() => {})
  }
  /** Tells everyone who saw a conversation that it was deleted. */
  announceDeleted(conversation: OpenConversation): void {
    for (const person of this.#access.peopleOf(conversation)) this.announceGone(person, conversation.id)
  }
}

async function firstHits(found: AsyncIterable<FoundConversation>, query: string): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for await (const one of found) {
    hits.push(...searchExcerpts(one, query))
    if (hits.length >= mostHits) break
  }
  return hits.slice(0, mostHits)
}
