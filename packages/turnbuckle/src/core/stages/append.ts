import { asMessage, asRecordable, isMessage, type Message, plainMessage } from '../base/message.ts'
import { checkAppended } from '../history/check-appended.ts'
import { record } from '../turn/record-message.ts'
import { notOpened, type Stage } from './stage.ts'

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const append: Stage = {
  name: 'append',
  light: true,
  description: 'record a message',
  required: true,
  input: turn => {
    const { reply } = turn.draft
    return reply?.content.length && !turn.replyRecorded ? reply : notOpened
  },
  // Whatever a hook makes of it, it is the same message: what waits for it to be recorded knows its id.
  current: (_run, given, handed) => {
    const { id, role } = handed as Message
    return given === handed ? given : { ...asRecordable(given, role, id), id }
  },
  body: (frame, input) => {
    const { turn, stage } = frame
    const own = stage.name === 'append'
    // A wrap may call next twice; what happened, happened once.
    if (own && frame.prepared) return frame.prepared
    const message = isMessage(input) ? plainMessage(input) : asMessage(input, 'user', turn.ids.message())
    if (own) checkAppended(turn, message)
    const node = record(turn, message, message.id === turn.draft.reply?.id ? turn.draft.usage : undefined)
    if (own) frame.prepared = node
    return node
  },
}
