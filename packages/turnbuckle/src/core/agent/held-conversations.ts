import { TurnbuckleError } from '../base/errors.ts'
import type { Clock, Ids } from '../base/ports.ts'
import { ConversationLog } from '../durable/conversation-log.ts'
import type { Store } from '../durable/log-port.ts'
import { ConversationCore } from '../events/conversation-core.ts'
import type { ConversationSource } from '../types/agent-core.ts'
import type { ConversationCore as ConversationCoreType } from '../types/conversation-core.ts'

export interface HeldConversationsOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store | undefined
}

/** The conversations of an agent that somebody holds, each on its log where there is a store. */
export class HeldConversations {
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #store: Store | undefined
  /** A conversation is let go of when nobody holds it; one that was asked for by name and has no store is kept. */
  readonly #byId = new Map<string, ConversationCoreType | WeakRef<ConversationCoreType>>()
  #letGo: FinalizationRegistry<string> | undefined
  /** Conversations that are being read. */
  readonly #reading = new Map<string, Promise<ConversationCoreType>>()

  constructor({ clock, ids, store }: HeldConversationsOptions) {
    this.#clock = clock
    this.#ids = ids
    this.#store = store
  }

  get store(): Store | undefined {
    return this.#store
  }
  get list(): readonly ConversationCoreType[] {
    return [...this.#byId.keys()].flatMap(id => this.find(id) ?? [])
  }
  /** A conversation whose log broke is not found, and so is read anew: its memory may be ahead of the log. */
  find(id: string): ConversationCoreType | undefined {
    const kept = this.#byId.get(id)
    const conversation = kept instanceof WeakRef ? kept.deref() : kept
    return conversation?.journal?.broken === undefined ? conversation : undefined
  }

  /** The conversation of that id, or a new one. Throws `conversation.closed` where the store would have to be waited for. */
  findOrMake(source: ConversationSource): ConversationCoreType {
    return (source.id === undefined ? undefined : this.find(source.id)) ?? this.#attach(source)
  }
  #attach(source: ConversationSource): ConversationCore {
    const conversation = this.#make(source)
    if (!this.#store) return conversation
    const { firstRead } = new ConversationLog(conversation, this.#store, source.id !== undefined)
    // A new conversation needs nothing of the store yet; one that is named must be opened first.
    if (firstRead && source.id !== undefined)
      throw new TurnbuckleError('conversation.closed', `"${source.id}" has to be read first: await agent.open(id).`)
    this.remember(conversation)
    return conversation
  }
  #make({ id, owner }: ConversationSource): ConversationCore {
    const conversation = new ConversationCore(id ?? this.#ids.next('conv'), this.#clock)
    conversation.owner = owner
    if (id !== undefined && !this.#store) this.#byId.set(conversation.id, conversation)
    return conversation
  }

  /** The conversation with all that its log has now. */
  async open(id: string): Promise<ConversationCoreType> {
    await this.find(id)?.journal?.refresh()
    return this.find(id) ?? this.#read(id)
  }
  /** Reads a conversation from the store. Callers that ask for it meanwhile share one reading. */
  #read(id: string): Promise<ConversationCoreType> {
    const reading = this.#reading.get(id)
    if (reading) return reading
    const conversation = this.#make({ id })
    const attached = async () => {
      if (this.#store) await new ConversationLog(conversation, this.#store).firstRead
      this.remember(conversation)
      return this.find(id) ?? conversation
    }
    const read = attached().finally(() => this.#reading.delete(id))
    this.#reading.set(id, read)
    return read
  }

  /** Finds a conversation by its id while somebody holds it. Without a store only from when its id is first read. */
  remember(conversation: ConversationCoreType): void {
    if (conversation.journal?.broken !== undefined || this.find(conversation.id)) return
    this.#byId.set(conversation.id, new WeakRef(conversation))
    this.#letGo ??= new FinalizationRegistry(id => {
      if (!this.find(id)) this.#byId.delete(id)
    })
    this.#letGo.register(conversation, conversation.id)
  }
  /** Forgets a deleted conversation: its id means a new conversation from now on. */
  forget(id: string): void {
    this.#byId.delete(id)
  }
}
