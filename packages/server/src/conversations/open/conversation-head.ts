import type { Conversation, Turn } from 'turnbuckle'
import type { ConversationView } from 'turnbuckle/client'
import type { RunningTurns } from '../turns/running-turns.ts'
import { turnRunsThere } from '../turns/turn-runs-there.ts'

/** Does something to a conversation, and resolves when its log tells of it. */
type UntilLogged = (work: () => Promise<void> | undefined) => Promise<void>

/** The head of a conversation, and the handle at it that starts turns. */
export class ConversationHead {
  readonly #view: ConversationView
  readonly #running: RunningTurns
  #handle: Conversation
  /** The turn that the head moves with while it runs. */
  #turn: string | undefined
  /** The turn that the head moves with, where it was resumed: it has no handle of the server's. */
  #resumed: string | undefined

  constructor(handle: Conversation, view: ConversationView, running: RunningTurns) {
    this.#handle = handle
    this.#view = view
    this.#running = running
  }

  /** The handle whose head is the conversation's: that of the turn that started last. */
  get handle(): Conversation {
    return this.#handle
  }
  /** The head's message; `null` before the first. */
  get id(): string | null {
    const turn = this.#running.list.find(({ id }) => id === this.#turn)?.id ?? this.#resumed
    return (turn && this.#view.tip(turn)) ?? this.#handle.head ?? null
  }

  /** Begins at the log's head with a new handle; the head moves with no turn. */
  beginAt(handle: Conversation): void {
    this.#handle = handle
    this.#turn = undefined
    this.#resumed = undefined
  }

  /** From now on the head moves with this turn. `handle` is absent for a turn that was resumed. */
  moveWith(turn: Turn, handle: Conversation | undefined): void {
    if (handle) this.#handle = handle
    this.#turn = turn.id
    this.#resumed = handle ? undefined : turn.id
  }

  /** A handle for a turn at the head, or for a branch at another message. Throws `turn.running` where a turn runs there. */
  handleAt(parentId: string | null | undefined): Conversation {
    const isHead = parentId === undefined || parentId === this.id
    const running = this.#running.list
    const tips = running.map(({ id }) => this.#view.tip(id))
    if (isHead ? running.some(({ id }) => id === this.#turn) : tips.includes(parentId ?? '')) throw turnRunsThere()
    return isHead ? this.#handleAtHead() : this.#handle.fork(parentId)
  }
  /** Forks a handle of the server's own where a resumed turn has moved the head. */
  #handleAtHead(): Conversation {
    if (this.#resumed) this.#handle = this.#handle.fork(this.id)
    this.#resumed = undefined
    return this.#handle
  }

  /** Moves the head with a handle of its own, so that a turn that runs at the old head goes on. */
  async moveTo(id: string | null, untilLogged: UntilLogged): Promise<void> {
    const running = this.#running.list.find(turn => id !== null && this.#view.tip(turn.id) === id)
    const free = this.#handle.fork(id === null ? null : (this.#handle.head ?? null))
    await untilLogged(() =>
      running || id === null ? free.emit({ type: 'head.moved', from: this.id, to: id }) : free.checkout(id),
    )
    this.#handle = free
    this.#turn = running?.id
    this.#resumed = undefined
  }
}
