import { none } from '../base/lists.ts'
import type { Call, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { Event } from '../events/events.ts'
import { openCallsAt } from '../history/call-pairing.ts'
import { isOnPath, type TreeNode } from '../history/tree.ts'
import { allEntered } from '../hooks/stage-frame.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { Checkpoint, UnfinishedTurn } from '../types/unfinished-turn.ts'
import { inputToLog, keepCheckpoint, notLogged, restoreCheckpoint } from './checkpoints.ts'
import { StageKeys } from './stage-keys.ts'

/**
 * The turn as the log already has it: resuming is going through the turn again, and this part answers for what has happened
 * (decision 0005). A turn that nobody has begun before finds nothing here.
 */
export class TurnReplay {
  readonly #turn: TurnState
  #past: UnfinishedTurn | undefined
  #keys: StageKeys | undefined
  /** Messages recorded since the turn was resumed, and whether the log had them. */
  #repeated: Map<TreeNode, boolean> | undefined
  /** The place of the newest checkpoint that was restored: calls that ran side by side did not end in the order they are gone through. */
  #restoredTo = 0
  #heard = 0

  constructor(turn: TurnState) {
    this.#turn = turn
  }

  /** The turn as a process has left it; nothing for a turn that begins here. */
  get past(): UnfinishedTurn | undefined {
    return this.#past
  }
  /** Goes through the turn again that a process has left. Given anew where the log has more of it by the time this process has become its writer: an answer came meanwhile. */
  resume(past: UnfinishedTurn): void {
    this.#past = past
  }

  /** True where the log ends with a question: no model call was under way. */
  get waited(): boolean {
    return this.#turn.link.caller?.waited ?? this.#past?.waited === true
  }

  // Stages.

  get keys(): StageKeys {
    this.#keys ??= new StageKeys(this.#past?.firstVersionParents)
    return this.#keys
  }
  /** A hook that sees the chunks of a reply may steer, so that the stage around it is kept like one with hooks of its own. */
  #isKept({ hooks, stage }: StageFrame): boolean {
    const mayBeSteered = !hooks.empty || (hooks.onChunk.length > 0 && stage.gives === 'reply')
    return this.#turn.journal !== undefined && mayBeSteered
  }
  /** Puts a stage back that the log says was closed; false where it does not. */
  restoreLeft(frame: StageFrame): boolean {
    if (!this.#past || !this.#isKept(frame)) return false
    const checkpoint = this.#past.left(this.keys.keyOf(frame))
    if (!checkpoint) return false
    const { spent, steering, step } = this.#turn
    spent.restoreModelStages(checkpoint.steps)
    steering.restoreJumps(checkpoint.jumps)
    frame.stage.fromLog?.left?.(frame)
    this.#restore(frame, checkpoint)
    if (checkpoint.more !== undefined || frame.stage.repeats) step.decide(checkpoint.more, checkpoint.decidedBy)
    return true
  }
  /** Puts a stage back whose before hooks have finished, so that it goes on after them; false where the log has no such checkpoint. */
  restoreEntered(frame: StageFrame): boolean {
    if (!this.#past || !this.#isKept(frame)) return false
    const checkpoint = this.#past.entered(this.keys.keyOf(frame))
    if (!checkpoint) return false
    this.#enter(frame, checkpoint)
    return true
  }
  /** True where the log says that the input of an entered stage did not pass its check then, so that no guard has seen it. */
  wasRefused(frame: StageFrame): boolean {
    return this.#past?.entered(this.keys.keyOf(frame))?.refused === true
  }
  #enter(frame: StageFrame, checkpoint: Checkpoint): void {
    const { input } = checkpoint
    if (input !== undefined) {
      if (frame.stage.fromLog?.input) frame.stage.fromLog.input(frame, input)
      else frame.takeInput(input)
    }
    this.#restore(frame, checkpoint)
    frame.reached = checkpoint.reached ?? allEntered
    frame.resumed = true
  }
  #restore(frame: StageFrame, checkpoint: Checkpoint): void {
    const newest = checkpoint.order >= this.#restoredTo
    if (newest) this.#restoredTo = checkpoint.order
    restoreCheckpoint(frame, checkpoint, newest)
  }
  /** The before hooks have finished: they are not run again. */
  noteEntered(frame: StageFrame): void {
    if (!this.#isKept(frame) || this.#turn.over) return
    const input = inputToLog(frame)
    if (input === notLogged) return
    keepCheckpoint(frame, 'entered', this.keys.keyOf(frame), { input, within: this.keys.around(frame) })
  }
  /** The stage is closed: nothing of it is run again. The turn's own stage has its terminal event instead. */
  noteLeft(frame: StageFrame): void {
    if (!this.#isKept(frame) || this.#turn.over || !frame.parent || frame.status === 'interrupted') return
    keepCheckpoint(frame, 'left', this.keys.keyOf(frame))
  }

  /** Checkpoints of stages that were open when a process died, and that this one has not opened; the last first. */
  get open(): readonly Checkpoint[] {
    return this.#past?.open ?? []
  }
  /** Puts a stage back that was open when a process died, for its after hooks. What the turn itself was by then counts no more. */
  reopen(frame: StageFrame, checkpoint: Checkpoint): void {
    frame.key = checkpoint.key
    this.#restoredTo = Number.MAX_SAFE_INTEGER
    this.#enter(frame, checkpoint)
  }

  // Model calls.

  /** The next reply of a step that the log has and that is not used yet. */
  reply(step: number): ReturnType<UnfinishedTurn['reply']> {
    return this.#past?.reply(step)
  }
  /** Takes the replies of a step up to that attempt as used, and gives the last of them. */
  passReplies(step: number, attempt: number): ReturnType<UnfinishedTurn['passReplies']> {
    return this.#past?.passReplies(step, attempt)
  }
  /** The number of attempts of a step that have begun. */
  attempts(step: number): number {
    return this.#past?.attempts(step) ?? 0
  }
  /** A process may have ended in the middle of the model call that begins now, which is then paid for twice. */
  get mayRepeatCall(): boolean {
    return this.#past?.moved === false && !this.#turn.topmost.replay.waited
  }
  /** The usage of a sub-agent's turn that is in the usage of the log. */
  spent(turnId: string): Usage | undefined {
    return this.#past?.spent(turnId)
  }

  // Calls.

  ended(callId: string): ToolResult | undefined {
    return this.#past?.ended(callId)
  }
  raw(callId: string): ToolResult | undefined {
    return this.#past?.raw(callId)
  }
  /** The number of times that a call began. */
  began(callId: string): number {
    return this.#past?.began(callId) ?? 0
  }
  edited(callId: string): unknown {
    return this.#past?.edited(callId)
  }

  // Events and messages.

  /** True where the log has the event already; each counts once. */
  takeTold(event: Event): boolean {
    return this.#past?.takeTold(event) ?? false
  }
  /** Tells of a message whether the log has it behind `parent` from when this turn was gone through first: each is used again once. */
  repeats(parent: TreeNode | undefined): ((node: TreeNode) => boolean) | undefined {
    if (!this.#past) return undefined
    return node => node.turnId === this.#turn.id && node.parent === parent && !this.#repeated?.has(node)
  }
  noteRecorded(node: TreeNode, known: boolean): void {
    if (!this.#past) return
    this.#repeated ??= new Map()
    this.#repeated.set(node, known)
  }
  /** True where the log had the message before the turn was resumed: with its states. */
  hadRecorded(node: TreeNode): boolean {
    return this.#repeated?.get(node) ?? false
  }

  /** Interjections of before the crash are heard again where they were heard then, the rest when the past is over. */
  hearAgain(): void {
    const past = this.#past
    if (!past) return
    const { branch, step, people, conversation } = this.#turn
    let last = branch.tip?.id
    for (let next = past.interjections[this.#heard]; next; next = past.interjections[this.#heard]) {
      const heardHere = next.messageId !== undefined && conversation.tree.find(next.messageId)?.parentId === last
      if (!heardHere && !(next.messageId === undefined && step.index >= past.lastStep)) return
      this.#heard++
      people.queueUp(next.by === undefined ? { text: next.text } : { text: next.text, by: next.by })
      last = next.messageId
    }
  }

  /** An interrupt may come before the turn was gone through again: then it ends where the log ends. Gives the calls that were running there. */
  catchUp(): readonly Call[] {
    const past = this.#past
    const { branch, step, calls, conversation } = this.#turn
    const last = past?.tip === undefined ? undefined : conversation.tree.find(past.tip)
    if (!past || !last || isOnPath(last, branch.tip)) return none
    branch.moveTo(last)
    branch.recordOwnMessage(true)
    step.endAttempt()
    step.skipTo(past.lastStep)
    branch.setOpenCalls(openCallsAt(last))
    for (const { id } of branch.openCalls) {
      const ended = past.ended(id)
      if (ended) calls.finish(id, ended)
    }
    return branch.openCalls.filter(({ id }) => past.began(id) && !past.ended(id))
  }
}
