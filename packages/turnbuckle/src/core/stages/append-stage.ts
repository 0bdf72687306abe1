import { asMessage, asRecordable, isMessage, type Message, plainMessage } from '../base/message.ts'
import { checkRecordable } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import { notOpened } from '../hooks/not-opened.ts'
import { recordMessage } from '../turn/record-message.ts'
import type { BuiltInStage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** A wrap may call next twice; the message is recorded once. */
function recordOnce(frame: StageFrame, input: unknown): TreeNode {
  if (frame.prepared) return frame.prepared as TreeNode
  const { turn } = frame
  const { draft } = turn.step
  const message = isMessage(input) ? plainMessage(input) : asMessage(input, 'user', turn.ids.message())
  checkRecordable(turn.branch.openCalls, draft.reply, message)
  const node = recordMessage(turn, message, message.id === draft.reply?.id ? draft.usage : undefined)
  frame.prepared = node
  return node
}

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const appendStage: BuiltInStage = {
  name: 'append',
  description: 'record a message',
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
  toLog: { result: ({ result }) => (result as TreeNode | undefined)?.id },
  fromLog: {
    result: ({ turn }, id) => {
      if (typeof id !== 'string') return id
      const node = turn.conversation.tree.find(id)
      return node && recordMessage(turn, node.message)
    },
  },
}
