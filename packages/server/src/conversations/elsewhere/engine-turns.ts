import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import type { TurnRunner } from '../turns/turn-runner.ts'
import type { FollowedConversation } from './followed-conversation.ts'
import { wakerOf, wakeTurns } from './wake-turns.ts'

export interface EngineTurnsOptions {
  readonly agent: Agent
  readonly store: ConversationStore
  readonly runner: TurnRunner
}

/** The turns that an engine runs outside of this process, as far as a server has to see to them. */
export class EngineTurns {
  readonly #options: EngineTurnsOptions

  constructor(options: EngineTurnsOptions) {
    this.#options = options
  }

  /** Has the engine go on with a conversation's unfinished turns. */
  async wake(id: string): Promise<void> {
    const { store, runner } = this.#options
    await wakeTurns(store, runner, id)
  }
  /** As `wake`, in the background: a call that is lost is repeated by the next look at unfinished turns. */
  wakeSoon(id: string): void {
    this.wake(id).catch(() => {})
  }

  /** A turn that waits for people is worked on by nobody: for who acts on it, it goes on in this process. The engine hears of its end. */
  async resumeHere({ id, log }: FollowedConversation, turnId: string): Promise<void> {
    const { agent, store, runner } = this.#options
    if (!log.turnsElsewhere.some(turn => turn.id === turnId)) return
    if ((await store.conversation(id))?.held) return
    await agent.open(id)
    const turn = agent.resume(id, turnId)
    if (!turn) return
    log.adopt(turn)
    await turn.began
    void turn.settled
      .then(() => wakerOf(store, runner, id, turnId))
      .then(wake => wake())
      .catch(() => {})
  }

  /** Reads the unfinished turns of a conversation that is about to be deleted; the function it returns tells the engine that they are gone. */
  async wakeAfterDeletion(id: string): Promise<() => Promise<void>> {
    const { store, runner } = this.#options
    const turns = await store.turns({ conversation: id, status: 'open' })
    const wakers = await Promise.all(turns.map(turn => wakerOf(store, runner, id, turn.id)))
    return async () => {
      for (const wake of wakers) await wake()
    }
  }
}
