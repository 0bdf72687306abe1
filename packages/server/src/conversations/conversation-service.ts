import { type Agent, type Turn, TurnbuckleError } from 'turnbuckle'
import type {
  AskedRequest,
  ConversationSummary,
  NewTurn,
  SearchHit,
  SharedAccess,
  WireConversation,
  WireDecision,
  WireSpan,
  WireTrace,
} from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import type { AuditList } from '../access/audit-list.ts'
import { auditedAnswer, isLasting } from '../access/audited-answer.ts'
import { type ConversationAct, demandAccess, demandRight, rights } from '../access/rights.ts'
import type { RoleOf } from '../access/roles.ts'
import type { Shares } from '../access/shares.ts'
import { notFound } from '../base/not-found.ts'
import { type ListChange, ListWatchers } from '../feeds/list-watchers.ts'
import type { SpanNews } from '../inspector/inspector.ts'
import { StoredTraces } from '../inspector/stored-traces.ts'
import { ConversationIndex, idForKey, type ListedConversation } from './conversation-index.ts'
import { eraseConversation } from './erase-conversation.ts'
import { keyMismatch } from './idempotent-starts.ts'
import type { OpenConversation } from './open-conversation.ts'
import { OpenConversations } from './open-conversations.ts'
import { type FoundConversation, searchExcerpts } from './search-excerpts.ts'
import { subAgentConversations } from './sub-agent-conversations.ts'

const mostHits = 50

interface NewConversation {
  readonly title?: string | undefined
  readonly id?: string | undefined
  readonly key?: string | undefined
}

export interface ConversationServiceOptions {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
  /** The number of conversations that stay in memory although nobody follows them and no turn runs. */
  readonly keptIdle: number
  readonly roleOf: RoleOf
  readonly shares: Shares
  readonly audit: AuditList
}

/** All conversations with their owners: the operations of a person on their own, and on those that are shared with them. */
export class ConversationService {
  readonly #store: ConversationStore | undefined
  readonly #index: ConversationIndex
  readonly #open: OpenConversations
  readonly #traces: StoredTraces | undefined
  readonly #watchers = new ListWatchers()
  readonly #roleOf: RoleOf
  readonly #shares: Shares
  readonly #audit: AuditList

  constructor({ agent, store, keptIdle, roleOf, shares, audit }: ConversationServiceOptions) {
    this.#store = store
    this.#roleOf = roleOf
    this.#shares = shares
    this.#audit = audit
    this.#index = new ConversationIndex(store)
    this.#traces = store && new StoredTraces(store)
    this.#open = new OpenConversations({
      agent,
      store,
      index: this.#index,
      keptIdle,
      onNews: ({ type }, conversation) => {
        if (type === 'deleted') this.#deletedElsewhere(conversation)
        else this.#announce(conversation)
      },
    })
  }

  /** With an `id` of the caller's: one that they may not talk in is missing. The same `key` makes one conversation. */
  async create(owner: string, { title, id, key }: NewConversation): Promise<OpenConversation> {
    demandRight(this.#roleOf, owner, 'makeConversation')
    const wanted = id ?? (key === undefined ? `conv_${crypto.randomUUID()}` : idForKey(owner, key))
    const known = id === undefined && key === undefined ? undefined : await this.#index.find(wanted)
    if (known && key !== undefined && (known.title ?? '') !== (title ?? '')) throw keyMismatch()
    const conversation = known ? await this.open(owner, wanted, 'talk') : await this.#open.make(wanted, owner, title)
    if (!this.#shares.accessOf(owner, conversation)) throw notFound('conversation', wanted)
    if (title && !conversation.title) await conversation.change({ title })
    this.#open.touch(conversation)
    this.#announce(conversation)
    return conversation
  }

  /** True for a conversation of this person. */
  async isOwner(person: string, id: string): Promise<boolean> {
    return (await this.#index.find(id))?.owner === person
  }
  /**
   * Throws `conversation.missing` for another person's conversation as for none, and `role.missing` where it is shared with the person
   * for less than the act needs.
   */
  async open(person: string, id: string, act: ConversationAct): Promise<OpenConversation> {
    const conversation = await this.#open.load(id)
    const current = conversation && this.#mayDo(person, conversation, act) && (await this.#open.current(conversation))
    if (!current) throw notFound('conversation', id)
    return current
  }
  /** False where for the person the conversation is not there; throws `role.missing` where their role or access is too little. */
  #mayDo(person: string, conversation: OpenConversation, act: ConversationAct): boolean {
    demandRight(this.#roleOf, person, act)
    const access = this.#shares.accessOf(person, conversation)
    if (access) demandAccess(access, conversation.owner, act)
    return access !== undefined
  }
  /** True for as long as a person may follow a conversation that they have opened. */
  mayFollow(person: string, conversation: OpenConversation): boolean {
    return this.#shares.accessOf(person, conversation) !== undefined
  }
  /** The whole conversation, as a person is told of it. */
  async view(person: string, id: string): Promise<WireConversation> {
    const conversation = await this.open(person, id, 'readConversation')
    return { ...conversation.view(), ...this.#sharing(person, conversation) }
  }
  /** The summary of a conversation, as a person is told of it. */
  summary(person: string, conversation: OpenConversation): ConversationSummary {
    return { ...conversation.summary(), ...this.#sharing(person, conversation) }
  }
  /** Others' conversations say whose they are; a person's own, whom they are shared with. */
  #sharing(person: string, conversation: { readonly id: string; readonly owner: string }): Sharing {
    const { id, owner } = conversation
    const people = this.#shares.of(id)
    if (owner === person) return people.size ? { people: Object.fromEntries(people) } : {}
    const access = people.get(person)
    return access ? { owner, access } : {}
  }

  /** Shares a conversation with a person, whose list has it from then on. */
  async share(person: string, id: string, name: string, access: SharedAccess): Promise<void> {
    const conversation = await this.open(person, id, 'keepConversation')
    if (name === conversation.owner) throw new TurnbuckleError('person.missing', 'It is your own conversation.')
    await this.#shares.set({ conversationId: id, person: name, access })
    await this.#audit.add({ by: person, act: 'shared', what: name, decision: access, conversationId: id })
    this.#announce(conversation)
  }
  /** Takes that back: for the person the conversation is not there any more. */
  async unshare(person: string, id: string, name: string): Promise<void> {
    const conversation = await this.open(person, id, 'keepConversation')
    if (!(await this.#shares.remove(id, name))) throw notFound('person', name)
    await this.#audit.add({ by: person, act: 'unshared', what: name, conversationId: id })
    this.#watchers.tell(name, { type: 'conversation.deleted', conversationId: id })
    this.#announce(conversation)
  }
  #sees(person: string): (one: ListedConversation) => boolean {
    return one => this.#shares.accessOf(person, one) !== undefined
  }

  /** Newest activity first; `before` is the last id of the page before. */
  async list(person: string, limit: number, before?: string): Promise<ConversationSummary[]> {
    if (!this.#store) return this.#listOpen(person, limit, before)
    const last = before === undefined ? undefined : await this.#index.listed(this.#sees(person), before)
    if (before !== undefined && !last) throw notFound('conversation', before)
    const place = last && { id: last.id, updatedAt: last.summary.updatedAt }
    return (await this.#index.list(this.#sees(person), limit, place)).map(one => this.#current(person, one))
  }
  /** Without a store every conversation is open. */
  async #listOpen(person: string, limit: number, before: string | undefined): Promise<ConversationSummary[]> {
    const all = (await this.#index.list(this.#sees(person), Infinity)).map(one => this.#current(person, one))
    all.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
    const last = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
    if (before !== undefined && last < 0) throw notFound('conversation', before)
    return all.slice(last + 1, last + 1 + limit)
  }
  /** The summary of a conversation that is open here, unless the store's row of it is newer. */
  #current(person: string, { id, owner, seq, begunAt, summary }: ListedConversation): ConversationSummary {
    const open = this.#open.get(id)
    // Another process may have gone on with the log, or made another conversation under its id.
    const same = open?.log.begunAt === undefined || open.log.begunAt === begunAt
    if (open && (open.isRunning || (same && open.log.seq >= seq))) return this.summary(person, open)
    return { ...summary, running: this.#open.willResume(id), ...this.#sharing(person, { id, owner }) }
  }

  /** Deletes a conversation with its sub-agents' conversations and its traces. */
  async delete(person: string, id: string): Promise<void> {
    const conversation = await this.open(person, id, 'keepConversation')
    const subAgents = this.#store ? await subAgentConversations(this.#store, id) : []
    const running = new Set(conversation.runningTurns.map(turn => turn.id))
    const erase = async () => {
      await conversation.delete()
      for (const turnId of conversation.turnIds) await this.#traces?.erase(turnId, running.has(turnId))
      for (const one of [id, ...subAgents]) await this.#store?.delete(one)
    }
    try {
      await this.#index.remove(id, erase)
    } finally {
      // A conversation whose deletion failed is opened anew.
      this.#open.forget(conversation)
    }
    this.#announceDeleted(conversation)
    await this.#shares.forget(id)
  }

  /** Messages that hold a text, newest first. The store's own search is asked; no conversation is opened for it. */
  async search(person: string, query: string): Promise<SearchHit[]> {
    const hits: SearchHit[] = []
    for await (const found of this.#store ? this.#foundInStore(person, query) : this.#openConversations(person)) {
      hits.push(...searchExcerpts(found, query))
      if (hits.length >= mostHits) break
    }
    return hits.slice(0, mostHits)
  }
  async *#openConversations(person: string): AsyncGenerator<FoundConversation> {
    for (const { id } of await this.list(person, Infinity))
      yield (await this.open(person, id, 'readConversation')).view()
  }
  async *#foundInStore(person: string, query: string): AsyncGenerator<FoundConversation> {
    const nodes = new Map<string, FoundConversation['nodes'][number][]>()
    for (const { conversation, node } of (await this.#store?.search({ text: query, limit: 1000 })) ?? []) {
      const known = nodes.get(conversation)
      const found = { message: node.message, createdAt: node.at }
      if (known) known.unshift(found)
      else nodes.set(conversation, [found])
    }
    for (const [id, found] of nodes) {
      const seen = await this.#index.listed(this.#sees(person), id)
      if (seen) yield { id, title: this.#current(person, seen).title, nodes: found }
    }
  }

  /** Starts a turn. The same key starts it once. */
  async start(
    person: string,
    id: string,
    turn: NewTurn,
    key: string | undefined,
  ): Promise<{ turnId: string; seq: number }> {
    const conversation = await this.open(person, id, 'talk')
    const started = await conversation.start(turn, person, key)
    if ('text' in turn) await this.#index.addTitle(conversation, turn.text)
    return started
  }

  /** The conversation of a turn. */
  async ofTurn(person: string, turnId: string, act: ConversationAct): Promise<OpenConversation> {
    const conversation = await this.#open.findTurn(turnId)
    if (!conversation || !this.#mayDo(person, conversation, act)) throw notFound('turn', turnId)
    return conversation
  }
  /** The conversation of a request that the person may answer. Request ids cannot be guessed: a stranger who knows one is told that it is foreign. */
  async ofRequest(person: string, requestId: string): Promise<OpenConversation> {
    const conversation = await this.#open.findRequest(requestId)
    if (!conversation) throw new TurnbuckleError('request.unknown', `There is no request "${requestId.slice(0, 300)}".`)
    if (!conversation.mayAnswer(requestId, person, this.#talks(person, conversation)))
      throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return conversation
  }
  #talks(person: string, conversation: OpenConversation): boolean {
    const access = this.#shares.accessOf(person, conversation)
    return access === rights.talk.needs || access === 'own'
  }
  /** The open questions that other people's conversations put to this person by name. */
  async requestsTo(person: string): Promise<readonly AskedRequest[]> {
    const others = (await this.#open.withRequests()).filter(({ owner }) => owner !== person)
    return others.flatMap(conversation =>
      conversation
        .requestsTo(person)
        .map(request => ({ ...request, conversationId: conversation.id, owner: conversation.owner })),
    )
  }
  /** Does something to a turn that runs in this process. */
  async withTurn(person: string, turnId: string, act: (turn: Turn) => void): Promise<void> {
    const conversation = await this.ofTurn(person, turnId, 'talk')
    await conversation.turn(turnId)?.began
    const current = await this.#open.current(conversation)
    if (!current) throw notFound('turn', turnId)
    act(current.runningTurn(turnId))
  }
  /** Answers a request, as the person of the token. A turn whose process is gone goes on here. */
  async answer(person: string, requestId: string, answer: unknown): Promise<void> {
    demandRight(this.#roleOf, person, 'answer')
    const conversation = await this.ofRequest(person, requestId)
    const request = conversation.request(requestId)
    // A request that is not open is refused below; until then it may be any permission.
    if (isLasting(request?.kind ?? 'permission', answer)) demandRight(this.#roleOf, person, 'grantLasting')
    try {
      await conversation.answer(requestId, answer, { by: person, talks: this.#talks(person, conversation) })
    } catch (error) {
      // Another process may have answered the request first.
      const current = await this.#open.current(conversation).catch(() => undefined)
      current?.checkOpen(requestId)
      throw error
    }
    this.#open.takeOverAnswered(conversation)
    if (request) await this.#audit.add(auditedAnswer(request, answer, { by: person, conversationId: conversation.id }))
  }
  async decisions(person: string, turnId: string): Promise<readonly WireDecision[]> {
    const conversation = await this.ofTurn(person, turnId, 'readConversation')
    const turn = conversation.turn(turnId)
    // The log has the decisions of a turn that has ended: it may have gone on in another process.
    const kept = turn && !turn.ended ? undefined : await this.#store?.decisions(conversation.id, turnId)
    return kept?.length ? kept : (turn?.explain() ?? [])
  }
  /** Tells a span to the followers of its turn. At the end of the turn's own stage, the last, resolves when all spans are kept. */
  trace(turnId: string, news: SpanNews, all: WireTrace | undefined): Promise<void> | undefined {
    this.#open.ofTurn(turnId)?.tellSpan(turnId, news)
    const last = 'ended' in news && news.ended.kind === 'stage' && news.ended.depth === 0
    return last ? this.#traces?.keep(turnId, all?.spans ?? []) : undefined
  }
  async spans(person: string, turnId: string): Promise<readonly WireSpan[]> {
    await this.ofTurn(person, turnId, 'readConversation')
    return (await this.#traces?.of(turnId)) ?? []
  }

  /** Finds the turns that the last process left, and finishes its deletions. */
  async findLeftTurns(): Promise<void> {
    if (!this.#store) return
    for (const id of await this.#index.unfinishedDeletions()) await eraseConversation(this.#store, id)
    await this.#open.findLeftTurns()
  }
  /** Goes on with the turns that the last process left, also where nobody opens their conversations. */
  resumeLeftTurns(report: (error: unknown) => void): Promise<void> {
    return this.#open.resumeLeftTurns(report)
  }
  /** Begins no turn any more. */
  close(): void {
    this.#open.close()
  }

  /** Follows the list: conversations that are new, renamed, running, waiting or deleted. */
  watch(person: string, tell: (change: ListChange) => void): () => void {
    return this.#watchers.add(person, tell)
  }

  /** Tells that a middleware was switched: to one person, or, without one, to all. */
  announceSwitch(person: string | undefined): void {
    if (person === undefined) this.#watchers.tellAll({ type: 'switches.changed' })
    else this.#watchers.tell(person, { type: 'switches.changed' })
  }
  #announce(conversation: OpenConversation): void {
    if (this.#watchers.isEmpty || !this.#open.get(conversation.id)) return
    for (const person of conversation.askedPeople)
      if (person !== conversation.owner) this.#watchers.tell(person, { type: 'requests.changed' })
    for (const person of [conversation.owner, ...this.#shares.of(conversation.id).keys()])
      this.#watchers.tell(person, { type: 'conversation.changed', conversation: this.summary(person, conversation) })
  }
  /** A turn that was cut off here must not keep its trace after the deletion. */
  #deletedElsewhere(conversation: OpenConversation): void {
    for (const { id } of conversation.log.turnsElsewhere)
      if (conversation.turn(id)) this.#traces?.erase(id, true).catch(() => {})
    this.#announceDeleted(conversation)
  }
  #announceDeleted({ owner, id }: OpenConversation): void {
    for (const person of [owner, ...this.#shares.of(id).keys()])
      this.#watchers.tell(person, { type: 'conversation.deleted', conversationId: id })
  }
}

type Sharing = Pick<ConversationSummary, 'owner' | 'access' | 'people'>
