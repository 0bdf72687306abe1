import { type Conversation, type Turn, TurnbuckleError } from 'turnbuckle'
import type { Turns } from './turns.ts'
import type { Working } from './working.ts'

/** Does something to a conversation, and resolves when its log tells of it. */
type Told = (work: () => Promise<void> | undefined) => Promise<void>

/** Where a conversation goes on, and the handle that is there. */
export class Head {
  readonly #turns: Turns
  readonly #working: Working
  #chat: Conversation
  /** The turn that moved the head last. */
  #turn: string | undefined
  /** The same, where it goes on after a restart. */
  #resumed: string | undefined

  constructor(chat: Conversation, turns: Turns, working: Working) {
    this.#chat = chat
    this.#turns = turns
    this.#working = working
  }

  /** The handle whose head is the conversation's: that of the turn that started last. */
  get chat(): Conversation {
    return this.#chat
  }
  /** The message it is at; `null` before the first. */
  get id(): string | null {
    const turn = this.#working.running.find(({ id }) => id === this.#turn)?.id ?? this.#resumed
    return (turn && this.#turns.tip(turn)) ?? this.#chat.head ?? null
  }

  /** Where the log has it, with a new handle: no turn here can be gone with. */
  beginAt(chat: Conversation): void {
    this.#chat = chat
    this.#turn = undefined
    this.#resumed = undefined
  }

  /** From now on it moves with this turn. One that goes on after a restart has no handle of ours. */
  goWith(turn: Turn, handle: Conversation | undefined): void {
    if (handle) this.#chat = handle
    this.#turn = turn.id
    this.#resumed = handle ? undefined : turn.id
  }

  /** A handle for a turn at the head, or, on a branch, behind another message. */
  handleAt(parentId: string | null | undefined): Conversation {
    const here = parentId === undefined || parentId === this.id
    const { running } = this.#working
    const tips = running.map(({ id }) => this.#turns.tip(id))
    if (here ? running.some(({ id }) => id === this.#turn) : tips.includes(parentId ?? ''))
      throw new TurnbuckleError(
        'turn.running',
        'A turn is running there. Wait for it, interject, or branch off earlier.',
      )
    return here ? this.#own() : this.#chat.fork(parentId)
  }
  /** That of a turn that was resumed is not ours: we take one where it ended. */
  #own(): Conversation {
    if (this.#resumed) this.#chat = this.#chat.fork(this.id)
    this.#resumed = undefined
    return this.#chat
  }

  /** Moves on a handle of its own: a turn that runs at the head goes on. */
  async moveTo(id: string | null, told: Told): Promise<void> {
    const running = this.#working.running.find(turn => id !== null && this.#turns.tip(turn.id) === id)
    const free = this.#chat.fork(id === null ? null : (this.#chat.head ?? null))
    await told(() =>
      running || id === null ? free.emit({ type: 'head.moved', from: this.id, to: id }) : free.checkout(id),
    )
    this.#chat = free
    this.#turn = running?.id
    this.#resumed = undefined
  }
}
