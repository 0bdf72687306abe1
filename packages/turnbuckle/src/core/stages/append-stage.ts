import { asMessage, asRecordable, isMessage, type Message, plainMessage } from '../base/message.ts'
import { checkRecordable } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import { notOpened } from '../hooks/not-opened.ts'
import { recordMessage } from '../turn/record-message.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const appendStage: BuiltInStage = {
  name: 'append',
  description: 'record a message',
  takes: 'message',
  gives: undefined,
  needed: 'name',
  readsReplacement: false,
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
  body: (frame, input) => {
    const { turn, stage } = frame
    const { draft } = turn.step
    // A copy of the stage under another name records messages of a user's own, as many as it is given: none of them is owed.
    const own = stage.name === 'append'
    // A wrap may call next twice; the message is recorded once.
    if (own && frame.prepared) return frame.prepared
    const message = isMessage(input) ? plainMessage(input) : asMessage(input, 'user', turn.ids.message())
    if (own) checkRecordable(turn.branch.openCalls, draft.reply, message)
    const node = recordMessage(turn, message, message.id === draft.reply?.id ? draft.usage : undefined)
    if (own) frame.prepared = node
    return node
  },
  toLog: { result: ({ result }) => (result as TreeNode | undefined)?.id },
  fromLog: {
    result: ({ turn }, id) => {
      if (typeof id !== 'string') return id
      const node = turn.conversation.tree.find(id)
      return node && recordMessage(turn, node.message)
    },
  },
}
