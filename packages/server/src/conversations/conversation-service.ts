import { type Agent, type NewMessage, TurnbuckleError, type Use } from 'turnbuckle'
import type {
  ConversationSettings,
  NewTurn,
  SharedAccess,
  WireConversation,
  WireDecision,
  WireSpan,
} from 'turnbuckle/client'
import { type ConversationStore, type SharedTurns, type StoreNews, shareTurns } from 'turnbuckle/stores'
import type { AuditList } from '../access/audit-list.ts'
import { ConversationAccess } from '../access/conversation-access.ts'
import { type ConversationAct, demandRight } from '../access/rights.ts'
import type { RoleOf } from '../access/roles.ts'
import type { ShareLinks } from '../access/share-links.ts'
import type { Shares } from '../access/shares.ts'
import { notFound } from '../base/not-found.ts'
import type { SpanNews } from '../inspector/inspector.ts'
import { StoredTraces } from '../inspector/stored-traces.ts'
import { conversationCaller } from './conversation-caller.ts'
import { ConversationList } from './conversation-list.ts'
import { ConversationRequests } from './conversation-requests.ts'
import { obeyCommand } from './elsewhere/other-writer.ts'
import { actOnTurn } from './open/act-on-turn.ts'
import type { OpenConversation } from './open/open-conversation.ts'
import { OpenConversations } from './open/open-conversations.ts'
import { ConversationIndex } from './stored/conversation-index.ts'
import { eraseConversation } from './stored/erase-conversation.ts'
import { importConversation } from './stored/import-conversation.ts'
import { subAgentConversations } from './stored/sub-agent-conversations.ts'
import type { UploadedFiles } from './stored/uploaded-files.ts'
import type { TurnAct } from './turns/asked-turn.ts'
import { ConversationSchedules } from './turns/conversation-schedules.ts'
import { keyMismatch } from './turns/idempotent-starts.ts'
import type { TurnRunner } from './turns/turn-runner.ts'
import type { TurnInput } from './turns/user-message.ts'

interface NewConversation {
  readonly title?: string | undefined
  readonly id?: string | undefined
  readonly key?: string | undefined
  /** The history that a new conversation begins with. */
  readonly messages?: readonly NewMessage[] | undefined
  /** Called before a conversation is made. Throws where what the client asks for cannot begin one: none is made. */
  readonly checkNew?: (() => void) | undefined
}

export interface ConversationServiceOptions {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
  /** Works on turns outside of this process. */
  readonly runner?: TurnRunner | undefined
  /** The number of conversations that stay in memory although nobody follows them and no turn runs. */
  readonly keptIdle: number
  readonly roleOf: RoleOf
  readonly shares: Shares
  readonly links: ShareLinks
  readonly files: UploadedFiles
  readonly audit: AuditList
  /** Told of errors of the store that ended a turn. */
  readonly report?: ((error: unknown) => void) | undefined
}

/** All conversations with their owners: the operations of a person on their own, and on those that are shared with them. */
export class ConversationService {
  /** The list of conversations, with those who watch it. */
  readonly list: ConversationList
  /** The questions that turns put to people. */
  readonly requests: ConversationRequests
  /** Turns that begin at a time. */
  readonly schedules: ConversationSchedules
  readonly #store: ConversationStore | undefined
  readonly #index: ConversationIndex
  readonly #open: OpenConversations
  readonly #traces: StoredTraces | undefined
  readonly #roleOf: RoleOf
  readonly #shares: Shares
  readonly #links: ShareLinks
  readonly #files: UploadedFiles
  readonly #access: ConversationAccess
  readonly #audit: AuditList
  readonly #shared: SharedTurns
  readonly #stopHearing: () => void

  constructor({
    agent,
    store,
    runner,
    keptIdle,
    roleOf,
    shares,
    links,
    files,
    audit,
    report,
  }: ConversationServiceOptions) {
    this.#store = store
    this.#roleOf = roleOf
    this.#shares = shares
    this.#links = links
    this.#files = files
    this.#audit = audit
    const access = new ConversationAccess(roleOf, shares)
    const index = new ConversationIndex(store)
    this.#shared = shareTurns(store ?? {}, { onCommand: (id, command) => obeyCommand(this.#open.get(id), command) })
    const open: OpenConversations = new OpenConversations({
      agent,
      store,
      runner,
      index,
      keptIdle,
      shared: this.#shared,
      report,
      onNews: ({ type }, conversation) => {
        if (type === 'deleted') this.#deletedElsewhere(conversation)
        else this.list.announce(conversation)
      },
    })
    this.#access = access
    this.#index = index
    this.#open = open
    this.#traces = store && new StoredTraces(store)
    this.list = new ConversationList({ store, index, open, access })
    this.#stopHearing = this.list.hearOthers()
    this.schedules = new ConversationSchedules({ store, runner, audit })
    this.requests = new ConversationRequests({ open, access, roleOf, audit })
  }

  /**
   * With an `id` of the caller's: one that they may not talk in is missing, and so is a sub-agent's that has not begun. The same `key`
   * makes one conversation.
   */
  async create(owner: string, { title, id, key, messages, checkNew }: NewConversation): Promise<OpenConversation> {
    demandRight(this.#roleOf, owner, 'makeConversation')
    const wanted = await this.#idFor(owner, { id, key })
    const known = id === undefined && key === undefined ? undefined : await this.#index.find(wanted)
    if (known && key !== undefined && (known.title ?? '') !== (title ?? '')) throw keyMismatch()
    if (!known && id !== undefined && (await this.#index.isSubAgents(id))) throw notFound('conversation', id)
    if (!known) checkNew?.()
    const conversation = known
      ? await this.open(owner, wanted, 'talk')
      : await this.#open.make(wanted, { owner, title, messages })
    if (!this.#access.sees(owner, conversation)) throw notFound('conversation', wanted)
    if (title && !conversation.title) await conversation.change({ title })
    this.#open.touch(conversation)
    this.list.announce(conversation)
    return conversation
  }

  async #idFor(owner: string, { id, key }: Pick<NewConversation, 'id' | 'key'>): Promise<string> {
    if (id !== undefined) return id
    return key === undefined ? `conv_${crypto.randomUUID()}` : this.#index.findIdForKey(owner, key)
  }

  /** Makes a conversation of an exported one, JSON or Markdown. */
  async import(owner: string, text: string): Promise<{ readonly id: string; readonly head: string | null }> {
    const id = await importConversation(text, { store: this.#store, files: this.#files, owner })
    const conversation = await this.open(owner, id, 'readConversation')
    this.list.announce(conversation)
    return { id, head: conversation.head }
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
    const current =
      conversation && this.#access.mayDo(person, conversation, act) && (await this.#open.current(conversation))
    if (!current) throw notFound('conversation', id)
    return current
  }
  /** True for as long as a person may follow a conversation that they have opened. */
  mayFollow(person: string, conversation: OpenConversation): boolean {
    return this.#access.sees(person, conversation)
  }
  /** The whole conversation, as a person is told of it. */
  async view(person: string, id: string): Promise<WireConversation> {
    const conversation = await this.open(person, id, 'readConversation')
    const caller = await conversationCaller(id, {
      store: this.#store,
      ofTurn: async turnId => {
        const calling = await this.#open.findTurn(turnId)
        return calling && this.#access.sees(person, calling) ? calling : undefined
      },
    })
    return { ...conversation.view(), ...this.#access.sharing(person, conversation), ...(caller ? { caller } : {}) }
  }
  /** The settings of its own that an open conversation has; a turn's conversation is open. */
  settingsOf(id: string): ConversationSettings | undefined {
    return this.#open.get(id)?.settings
  }

  /** Shares a conversation with a person, whose list has it from then on. */
  async share(person: string, id: string, name: string, access: SharedAccess): Promise<void> {
    const conversation = await this.open(person, id, 'keepConversation')
    if (name === conversation.owner) throw new TurnbuckleError('person.missing', 'It is your own conversation.')
    await this.#shares.set({ conversationId: id, person: name, access })
    await this.#audit.add({ by: person, act: 'shared', what: name, decision: access, conversationId: id })
    await this.#endSchedules(name, conversation)
    this.list.announce(conversation)
  }
  /** Takes that back: for the person the conversation is not there any more. */
  async unshare(person: string, id: string, name: string): Promise<void> {
    const conversation = await this.open(person, id, 'keepConversation')
    if (!(await this.#shares.remove(id, name))) throw notFound('person', name)
    await this.#audit.add({ by: person, act: 'unshared', what: name, conversationId: id })
    await this.#endSchedules(name, conversation)
    this.list.announceGone(name, id)
    this.list.announce(conversation)
  }
  /** Cancels the schedules of a person who may not talk in a conversation any more, there and in those of its sub-agents. */
  async #endSchedules(person: string, conversation: OpenConversation): Promise<void> {
    const { id, owner, root = { id, owner } } = conversation
    if (this.#access.talks(person, conversation)) return
    for (const one of [id, ...(this.#store ? await subAgentConversations(this.#store, id) : [])])
      if (!this.#access.talks(person, { id: one, owner, root })) await this.schedules.cancelAll(one, person)
  }

  /** Deletes a conversation with its sub-agents' conversations, and all that is kept of them here. Gives the ids of all. */
  async delete(person: string, id: string): Promise<readonly string[]> {
    const conversation = await this.open(person, id, 'keepConversation')
    const subAgents = this.#store ? await subAgentConversations(this.#store, id) : []
    const all = [...subAgents, id]
    const running = new Set(conversation.runningTurns.map(turn => turn.id))
    const wake = await this.#open.wakeAfterDeletion(id)
    const erase = async () => {
      await conversation.delete()
      for (const turnId of conversation.turnIds) await this.#traces?.erase(turnId, running.has(turnId))
      for (const one of subAgents) await this.#eraseSubAgent(one)
      await this.#store?.delete(id)
      for (const one of all) {
        await this.#files.eraseOf(one)
        await this.schedules.cancelAll(one)
      }
    }
    try {
      await this.#index.removeAll(all, erase)
    } finally {
      // A conversation whose deletion failed is opened anew.
      this.#open.forget(conversation)
    }
    this.list.announceDeleted(conversation)
    // An engine that does not hear of it keeps a turn that waits: it ends as gone when its deadline comes.
    await wake?.().catch(() => {})
    for (const one of all) {
      await this.#shares.forget(one)
      await this.#links.forget(one)
    }
    return all
  }
  /** People talk in a sub-agent's conversation too: turns of theirs have traces. */
  async #eraseSubAgent(id: string): Promise<void> {
    const running = new Set(this.#open.get(id)?.runningTurns.map(turn => turn.id))
    const turns = (await this.#store?.turns({ conversation: id })) ?? []
    await this.#store?.delete(id)
    this.#open.drop(id)
    for (const turn of turns) await this.#traces?.erase(turn.id, running.has(turn.id))
  }

  /** Starts a turn. The same key starts it once. `use`: middleware of this turn alone. */
  async start(
    person: string,
    id: string,
    turn: NewTurn,
    key: string | undefined,
    use?: readonly Use[],
  ): Promise<{ turnId: string; seq: number }> {
    const conversation = await this.open(person, id, 'talk')
    const started = await conversation.start(await this.#attached(person, id, turn), person, key, use)
    // Who is refused for a title that could not be kept would send the turn a second time.
    if ('text' in turn) await this.#index.addTitle(conversation, turn.text).catch(() => {})
    return started
  }

  async #attached(person: string, id: string, turn: NewTurn): Promise<TurnInput> {
    if (!('text' in turn)) return turn
    const { attachments, ...said } = turn
    return attachments ? { ...said, attachments: await this.#files.attach(person, id, attachments) } : said
  }

  /** The conversation of a turn. */
  async ofTurn(person: string, turnId: string, act: ConversationAct): Promise<OpenConversation> {
    const conversation = await this.#open.findTurn(turnId)
    if (!conversation || !this.#access.mayDo(person, conversation, act)) throw notFound('turn', turnId)
    return conversation
  }
  /** Interrupts a running turn or interjects, also where it runs in another process. */
  async actOnTurn(person: string, turnId: string, act: TurnAct): Promise<void> {
    const conversation = await this.ofTurn(person, turnId, 'talk')
    if (await conversation.otherWriter.act(turnId, act)) return
    await conversation.turn(turnId)?.began
    const current = await this.#open.current(conversation)
    if (!current) throw notFound('turn', turnId)
    await this.#open.resumeHere(current, turnId)
    actOnTurn(current.log, turnId, act)
  }
  async decisions(person: string, turnId: string): Promise<readonly WireDecision[]> {
    const conversation = await this.ofTurn(person, turnId, 'readConversation')
    const turn = conversation.turn(turnId)
    // The log has the decisions of a turn that has ended: it may have gone on in another process.
    const kept = turn && !turn.ended ? undefined : await this.#store?.decisions(conversation.id, turnId)
    return kept?.length ? kept : (turn?.explain() ?? [])
  }
  /** Tells a span to the followers of its turn. At the end of the turn's own stage, the last, resolves when all spans are kept. */
  trace(turnId: string, news: SpanNews, spansOf: (turnId: string) => readonly WireSpan[]): Promise<void> | undefined {
    this.#open.ofTurn(turnId)?.tellSpan(turnId, news)
    const last = 'ended' in news && news.ended.kind === 'stage' && news.ended.depth === 0
    return last ? this.#traces?.keep(turnId, spansOf(turnId)) : undefined
  }
  async spans(person: string, turnId: string): Promise<readonly WireSpan[]> {
    await this.ofTurn(person, turnId, 'readConversation')
    return (await this.#traces?.of(turnId)) ?? []
  }

  /** Finds the turns that the last process left, and finishes its deletions; from now on unused files are deleted. */
  async findLeftTurns(): Promise<void> {
    this.#files.beginSweeping()
    if (!this.#store) return
    for (const id of await this.#index.unfinishedDeletions()) await eraseConversation(this.#store, id)
    await this.#open.leftTurns.find()
  }
  /** Turns that other processes, and the last one here, have left unfinished. */
  get leftTurns(): OpenConversations['leftTurns'] {
    return this.#open.leftTurns
  }
  /** Takes in what is new in the store, by this process or another. */
  async hearNews(news: StoreNews): Promise<void> {
    for (const id of await this.#open.hearNews(news)) await this.list.announceStored(id)
    if (news.type !== 'set') return
    if (this.#index.isEntry(news)) await this.list.announceStored(news.key)
    const shared = this.#shares.conversationOf(news)
    const open = shared === undefined ? undefined : this.#open.get(shared)
    if (open) this.list.announce(open)
    else if (shared !== undefined) await this.list.announceStored(shared)
  }
  /** News of the store may have been missed. */
  catchUpFollowed(): Promise<void> {
    return this.#open.catchUpFollowed()
  }
  /** Begins no turn any more. */
  close(): void {
    this.#shared.close()
    this.#stopHearing()
    this.#files.endSweeping()
    this.#open.leftTurns.close()
  }
  /** A turn that was cut off here must not keep its trace after the deletion. */
  #deletedElsewhere(conversation: OpenConversation): void {
    for (const { id } of conversation.log.turnsElsewhere)
      if (conversation.turn(id)) this.#traces?.erase(id, true).catch(() => {})
    this.list.announceDeleted(conversation)
  }
}
