import type { Call, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { Event } from '../events/events.ts'
import type { TreeNode } from '../history/tree.ts'
import type { StageFrame } from './stage-frame.ts'
import type { Checkpoint, UnfinishedTurn } from './unfinished-turn.ts'

/** The turn as the log already has it. A turn that nobody has begun before finds nothing here. */
export interface TurnReplay {
  /** The turn as a process has left it; nothing for a turn that begins here. */
  readonly past: UnfinishedTurn | undefined
  /** Goes through the turn again that a process has left. Given anew where the log has more of it by the time this process has become its writer: an answer came meanwhile. */
  resume(past: UnfinishedTurn): void
  /** True where the log ends with a question: no model call was under way. */
  readonly waited: boolean
  readonly keys: StageKeys
  /** Puts a stage back that the log says was closed; false where it does not. */
  restoreLeft(frame: StageFrame): boolean
  /** Puts a stage back whose before hooks have finished, so that it goes on after them; false where the log has no such checkpoint. */
  restoreEntered(frame: StageFrame): boolean
  /** True where the log says that the input of an entered stage did not pass its check then, so that no guard has seen it. */
  wasRefused(frame: StageFrame): boolean
  /** The before hooks have finished: they are not run again. */
  noteEntered(frame: StageFrame): void
  /** The stage is closed: nothing of it is run again. The turn's own stage has its terminal event instead. */
  noteLeft(frame: StageFrame): void
  /** Checkpoints of stages that were open when a process died, and that this one has not opened; the last first. */
  readonly open: readonly Checkpoint[]
  /** Puts a stage back that was open when a process died, for its after hooks. What the turn itself was by then counts no more. */
  reopen(frame: StageFrame, checkpoint: Checkpoint): void
  /** The next reply of a step that the log has and that is not used yet. */
  reply(step: number): ReturnType<UnfinishedTurn['reply']>
  /** Takes the replies of a step up to that attempt as used, and gives the last of them. */
  passReplies(step: number, attempt: number): ReturnType<UnfinishedTurn['passReplies']>
  /** The number of attempts of a step that have begun. */
  attempts(step: number): number
  /** A process may have ended in the middle of the model call that begins now, which is then paid for twice. */
  readonly mayRepeatCall: boolean
  /** The usage of a sub-agent's turn that is in the usage of the log. */
  spent(turnId: string): Usage | undefined
  ended(callId: string): ToolResult | undefined
  raw(callId: string): ToolResult | undefined
  /** The number of times that a call began. */
  began(callId: string): number
  edited(callId: string): unknown
  /** True where the log has the event already; each counts once. */
  takeTold(event: Event): boolean
  /** Tells of a message whether the log has it behind `parent` from when this turn was gone through first: each is used again once. */
  repeats(parent: TreeNode | undefined): ((node: TreeNode) => boolean) | undefined
  noteRecorded(node: TreeNode, known: boolean): void
  /** True where the log had the message before the turn was resumed: with its states. */
  hadRecorded(node: TreeNode): boolean
  /** Interjections of before the crash are heard again where they were heard then, the rest when the past is over. */
  hearAgain(): void
  /** An interrupt may come before the turn was gone through again: then it ends where the log ends. */
  catchUp(): readonly Call[]
}

/** Names the occurrences of stages in the log of a turn. */
export interface StageKeys {
  keyOf(frame: StageFrame): string
  /** Takes the key of an occurrence, each once. */
  take(key: string): boolean
}
