import type { Agent, Turn } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import type { ConversationIndex } from '../stored/conversation-index.ts'
import type { EngineTurns } from './engine-turns.ts'
import type { FollowedConversation, OpenList } from './followed-conversation.ts'

export interface LeftTurnsOptions {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
  readonly index: ConversationIndex
  /** Goes on with turns outside of this process. */
  readonly engine: EngineTurns | undefined
  readonly open: OpenList
  /** Compares an open conversation with the store, which takes its turns over where their process is gone. */
  readonly catchUp: (conversation: FollowedConversation) => Promise<void>
}

/** Turns that a process has left unfinished: they go on in this process, or where there is an engine on that. */
export class LeftTurns {
  readonly #options: LeftTurnsOptions
  /** Ids of conversations that are not open and have left turns: opening one resumes them. */
  readonly #conversations = new Set<string>()
  #isClosing = false

  constructor(options: LeftTurnsOptions) {
    this.#options = options
  }

  get isClosing(): boolean {
    return this.#isClosing
  }
  has(id: string): boolean {
    return this.#conversations.has(id)
  }
  /** True, once, for a conversation with left turns: whoever opens it resumes them. */
  take(id: string): boolean {
    return this.#conversations.delete(id)
  }
  /** Goes on with the unfinished turns of a log; `undefined` where the server is closing. */
  resume(id: string): readonly Turn[] | undefined {
    const { agent, engine } = this.#options
    if (this.#isClosing) return undefined
    if (engine) {
      engine.wakeSoon(id)
      return []
    }
    const turns: Turn[] = []
    for (let turn = agent.resume(id); turn; turn = agent.resume(id)) turns.push(turn)
    return turns
  }
  /** A conversation that was let go of meanwhile takes its turns over when it is opened again, at once. */
  async takeOver({ id, log }: FollowedConversation): Promise<void> {
    const { engine, open } = this.#options
    if (engine) return engine.wake(id)
    if (open.get(id)?.log === log) log.happen('turnsAbandoned')
    else this.#conversations.add(id)
    await open.load(id)
  }

  /** Finds turns that the last process left in conversations that a server made; a terminal's turns are left to it. */
  async find(): Promise<void> {
    const { store, index, engine } = this.#options
    // The engine goes on with them.
    if (engine) return
    for (const { conversation } of (await store?.turns({ status: 'open' })) ?? [])
      if (!this.has(conversation) && (await index.isServerMade(conversation))) this.#conversations.add(conversation)
  }
  /** Opens each conversation that was found, which resumes its turns. One that fails is reported and does not stop the others. */
  async resumeFound(report: (error: unknown) => void): Promise<void> {
    for (const id of this.#conversations)
      await this.#options.open.load(id).catch(error => {
        if (!this.#isClosing) report(error)
      })
  }
  /**
   * Goes on with turns whose process is gone, also where nobody follows their conversations. A turn whose process lives, or that
   * is stuck here, is left alone. One that fails is reported and does not stop the others.
   */
  async takeOverAll(report: (error: unknown) => void): Promise<void> {
    const left = (await this.#options.store?.turns({ status: 'open' })) ?? []
    for (const id of new Set(left.map(({ conversation }) => conversation))) {
      if (this.#isClosing) return
      await this.#takeOverStored(id).catch(report)
    }
  }
  async #takeOverStored(id: string): Promise<void> {
    const { store, index, engine, open, catchUp } = this.#options
    const conversation = open.get(id)
    if (conversation) return catchUp(conversation)
    const row = await store?.conversation(id)
    if (!row || row.held || !(await index.isServerMade(id)) || this.#isClosing) return
    if (engine) return engine.wake(id)
    this.#conversations.add(id)
    await open.load(id)
  }
  /** Begins no turn any more. */
  close(): void {
    this.#isClosing = true
    this.#conversations.clear()
  }
}
