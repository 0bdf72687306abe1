import { closeOpenCalls } from '../events/close-open-calls.ts'
import type { TreeNode } from '../history/tree.ts'
import type { ConversationCore, ResumedTurn } from '../types/conversation-core.ts'
import type { TurnState } from '../types/turn-state.ts'

/** The head of one handle: the tip of its turn while that runs, and then the message where it ended. */
export class HandleHead {
  readonly #conversation: ConversationCore
  #node: TreeNode | undefined
  /** True while the handle follows the conversation's head; false for one made at a message of its own. */
  #follows = true
  /** A checkout that the log does not have yet. */
  #moving: Promise<void> | undefined
  #turn: TurnState | undefined
  /** The last turn's after hooks; the next turn waits for them. */
  #unwound: Promise<void> | undefined
  /** The resumed turn that the handle was made after, or has taken or left behind. */
  #resumed: ResumedTurn | undefined

  constructor(conversation: ConversationCore, node: TreeNode | undefined) {
    this.#conversation = conversation
    this.#node = node
    this.#resumed = conversation.resumed
  }

  /** The message that the next turn will follow. */
  get tip(): TreeNode | undefined {
    this.#takeResumed()
    return this.#turn ? this.#turn.branch.tip : this.#node
  }
  get hasRunningTurn(): boolean {
    this.#takeResumed()
    return this.#turn !== undefined && !this.#turn.over
  }
  /** The turn that the handle's last turn works for, where a sub-agent's. */
  get parentTurn(): TurnState | undefined {
    return this.#turn?.parent
  }
  /** True for a turn that begins where the conversation is, so that it moves with what other processes add there. */
  isFollowedBy(turn: TurnState): boolean {
    return this.#follows && !this.#moving && this.#conversation.headId === turn.branch.tip?.id
  }
  /** The handle was made at a message of its own: it does not follow the conversation's head. */
  stayApart(): void {
    this.#follows = false
  }

  /** A turn of this handle begins. `launch` is given when the turn before it has unwound. */
  begin(turn: TurnState, launch: (before: Promise<void> | undefined) => Promise<void>): void {
    this.#turn = turn
    this.#conversation.latest = turn
    this.#conversation.running = this.#conversation.running.concat(turn)
    this.#unwound = launch(this.#unwound)
  }
  /** Tells the other handles that this one has resumed the turn that it began last. */
  shareResumed(turn: TurnState): void {
    this.#resumed = { turn, unwound: this.#unwound ?? Promise.resolve() }
    this.#conversation.resumed = this.#resumed
  }
  /** A turn of this handle is over: the handle stays where the turn ended, unless it has gone on since. */
  end(turn: TurnState): void {
    if (this.#turn !== turn) return
    this.#node = turn.branch.tip
    this.#turn = undefined
  }
  /** A turn that was left unfinished at this handle's head, and that another handle has resumed since, is this handle's too. */
  #takeResumed(): void {
    const { resumed } = this.#conversation
    if (!resumed || resumed === this.#resumed) return
    this.#resumed = resumed
    const { turn, unwound } = resumed
    const isHere = this.#node === turn.branch.origin || this.#node?.turnId === turn.id
    if (this.#turn || !this.#follows || !isHere) return
    this.#turn = turn
    this.#unwound = unwound
  }

  /** Moves the head. On a log this gives when that has it; the head stays where it was if it is refused. */
  move(to: TreeNode): Promise<void> | undefined {
    const conversation = this.#conversation
    const from = this.tip
    const head = closeOpenCalls(conversation, to)
    const { head: before, latest } = conversation
    this.#turn = undefined
    conversation.latest = undefined
    const change = (kept: boolean) => {
      conversation.head = kept ? head : before
      if (!kept) conversation.latest ??= latest
      if (!this.#turn) this.#node = kept ? head : from
    }
    const moved = conversation.tell({ type: 'head.moved', from: from?.id, to: head.id }, undefined, { change })
    // A turn that is sent before the log has the checkout waits for it, and begins at the new head.
    this.#moving = moved
    if (moved)
      this.#unwound = Promise.allSettled([this.#unwound, moved]).then(() => {
        if (this.#moving === moved) this.#moving = undefined
      })
    return moved
  }
}
