import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import type { TurnRunner } from '../turns/turn-runner.ts'
import type { FollowedConversation } from './followed-conversation.ts'
import { wakerOf, wakeTurns } from './wake-turns.ts'

/** Milliseconds before each further try to tell the engine of a turn's end: half an hour in all. */
const waits = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, ...Array<number>(29).fill(60_000)]

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
    const { agent, store } = this.#options
    if (!log.turnsElsewhere.some(turn => turn.id === turnId)) return
    if ((await store.conversation(id))?.held) return
    await agent.open(id)
    const turn = agent.resume(id, turnId)
    if (!turn) return
    log.adopt(turn)
    await turn.began
    void turn.settled.then(() => this.#tellEnd(id, turnId))
  }
  /** Nobody looks at a turn again that has ended: the engine is told until it has heard. */
  async #tellEnd(id: string, turnId: string): Promise<void> {
    const { store, runner } = this.#options
    for (const wait of [0, ...waits]) {
      await new Promise(resolve => setTimeout(resolve, wait).unref())
      const isTold = await wakerOf(store, runner, id, turnId)
        .then(wake => wake())
        .then(
          () => true,
          () => false,
        )
      if (isTold) return
    }
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
