import { none } from '../base/lists.ts'
import type { Call } from '../base/message.ts'
import { type BranchState, emptyState, type TreeNode } from '../history/tree.ts'

/** The branch as a step began, for `rewind`. */
interface StepMark {
  readonly tip: TreeNode | undefined
  readonly state: BranchState
}

/** The branch that a turn writes: its tip, the branch-scoped states there, and the calls that have no result yet. */
export class TurnBranch {
  #origin: TreeNode | undefined
  #tip: TreeNode | undefined
  #state: BranchState
  #openCalls: readonly Call[] = none
  #hasOwnMessage = false
  #edits = 0
  readonly #marks: StepMark[] = []

  constructor(origin: TreeNode | undefined) {
    this.#origin = origin
    this.#tip = origin
    this.#state = origin?.state ?? emptyState
  }

  /** The message that the turn was sent after. */
  get origin(): TreeNode | undefined {
    return this.#origin
  }
  /** The message that the next one follows. Each turn owns its tip. */
  get tip(): TreeNode | undefined {
    return this.#tip
  }
  get state(): BranchState {
    return this.#state
  }
  /** Calls on the branch that have no result yet, in call order. */
  get openCalls(): readonly Call[] {
    return this.#openCalls
  }
  /** The message that made the open calls: the last one before their results. */
  get callsMessageId(): string | undefined {
    let node = this.#tip
    while (node?.message.role === 'tool') node = node.parent
    return node?.id
  }
  /** True while the turn's own user message is on the branch. */
  get hasOwnMessage(): boolean {
    return this.#hasOwnMessage
  }

  /** The turn begins after another message than it was sent after: another process has moved the conversation on. */
  startAt(origin: TreeNode | undefined): void {
    this.#origin = origin
    this.moveTo(origin)
  }
  moveTo(tip: TreeNode | undefined, state: BranchState = tip?.state ?? emptyState): void {
    this.#tip = tip
    this.#state = state
  }
  /** A message was recorded, or an edit has replaced the end of the path. The states stay. */
  advanceTo(tip: TreeNode | undefined): void {
    this.#tip = tip
  }
  setState(state: BranchState): void {
    this.#state = state
  }
  setOpenCalls(calls: readonly Call[]): void {
    this.#openCalls = calls
  }
  recordOwnMessage(recorded: boolean): void {
    this.#hasOwnMessage = recorded
  }

  /** A step begins here. */
  mark(): void {
    this.#marks.push({ tip: this.#tip, state: this.#state })
  }
  markOf(step: number): StepMark | undefined {
    return this.#marks[step]
  }
  /** The number of steps that have begun; those that a rewind has left count too. */
  get markedSteps(): number {
    return this.#marks.length
  }

  /** Numbers the messages that hooks put into the history: their ids count them. */
  nextEdit(): number {
    return this.#edits++
  }
  get edits(): number {
    return this.#edits
  }
  restoreEdits(edits: number): void {
    this.#edits = edits
  }
}
