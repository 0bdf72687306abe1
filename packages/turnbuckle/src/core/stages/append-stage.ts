import type { Maybe } from '../base/maybe.ts'
import { asMessage, asRecordable, isMessage, type Message, plainMessage } from '../base/message.ts'
import { checkRecordable } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import { notOpened } from '../hooks/not-opened.ts'
import { guardText, textGuards } from '../model/guard-text.ts'
import { recordMessage } from '../turn/record-message.ts'
import type { BuiltInStage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** A wrap may call next twice; the message is recorded once. */
function recordOnce(frame: StageFrame, input: unknown): Maybe<TreeNode | undefined> {
  if (frame.prepared) return frame.prepared as TreeNode
  const { turn } = frame
  const message = isMessage(input) ? plainMessage(input) : asMessage(input, 'user', turn.ids.message())
  checkRecordable(turn.branch.openCalls, turn.step.draft.reply, message)
  const guards = textGuards(frame, message)
  return guards.length ? recordGuarded(frame, guards, message) : record(frame, message)
}

/** Records a message whose text guards have to see first. A guard's no keeps it from being recorded. */
async function recordGuarded(
  frame: StageFrame,
  guards: readonly HookEntry[],
  message: Message,
): Promise<TreeNode | undefined> {
  const left = await guardText(frame, guards, message)
  if (left) return record(frame, left)
  frame.status = 'skipped'
  return undefined
}

function record(frame: StageFrame, message: Message): TreeNode {
  const { draft } = frame.turn.step
  const node = recordMessage(frame.turn, message, message.id === draft.reply?.id ? draft.usage : undefined)
  frame.prepared = node
  return node
}

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const appendStage: BuiltInStage<'append'> = {
  name: 'append',
  description: 'record a message',
  estimatedMs: 1,
  takes: 'message',
  gives: undefined,
  needed: 'name',
  required: true,
  opensWhenHalting: true,
  input: ({ step }) => {
    const { reply } = step.draft
    return reply?.content.length && !step.replyRecorded ? reply : notOpened
  },
  // Whatever a hook makes of a message, it stays the same message: events that wait for it to be recorded know its id.
  current: (_turn, given, handed) => {
    const { id, role } = handed as Message
    return given === handed ? given : { ...asRecordable(given, role, id), id }
  },
  body: recordOnce,
  // A stage in its place gives the message to record; nothing: as it came. What happened is recorded in any case.
  adopt: (given, frame, message) =>
    recordOnce(frame, given === undefined ? message : appendStage.current?.(frame.turn, given, message)),
  toLog: { result: ({ prepared, result }) => recordedToLog(prepared as TreeNode | undefined, result) },
  fromLog: {
    result(frame, logged) {
      if (typeof logged === 'string') return recordAgain(frame, logged)
      if (!isReplacedInLog(logged)) return logged
      recordAgain(frame, logged.recorded)
      return logged.instead
    },
  },
}

/** A result that an after hook gave in place of the node, in the log: the message was recorded all the same. */
interface ReplacedInLog {
  readonly recorded: string
  readonly instead: unknown
}

function recordedToLog(recorded: TreeNode | undefined, result: unknown): string | ReplacedInLog | undefined {
  if (!recorded) return undefined
  return result === recorded ? recorded.id : { recorded: recorded.id, instead: result }
}
const isReplacedInLog = (logged: unknown): logged is ReplacedInLog =>
  typeof logged === 'object' && logged !== null && 'recorded' in logged && typeof logged.recorded === 'string'

/** Records the message again that the log has, in a turn that is gone through again. */
function recordAgain(frame: StageFrame, id: string): TreeNode | undefined {
  const { turn } = frame
  const node = turn.conversation.tree.find(id)
  return node && recordMessage(turn, node.message)
}
