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
  input: run => {
    const { reply } = run.draft
    return reply?.content.length && !run.replyRecorded ? reply : notOpened
  },
  // Whatever a hook makes of it, it is the same message: what waits for it to be recorded knows its id.
  current: (_run, given, handed) => {
    const { id, role } = handed as Message
    return given === handed ? given : { ...asRecordable(given, role, id), id }
  },
  body: (frame, input) => {
    const { run, stage } = frame
    const own = stage.name === 'append'
    // A wrap may call next twice; what happened, happened once.
    if (own && frame.prepared) return frame.prepared
    const message = isMessage(input) ? plainMessage(input) : asMessage(input, 'user', run.names.message())
    if (own) checkAppended(run, message)
    const node = record(run, message, message.id === run.draft.reply?.id ? run.draft.usage : undefined)
    if (own) frame.prepared = node
    return node
  },
}
