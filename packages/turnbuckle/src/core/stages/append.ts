import { asMessage } from '../message.ts'
import { notOpened, type Stage } from '../stage.ts'

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const append: Stage = {
  name: 'append',
  light: true,
  description: 'record a message',
  required: true,
  input: run => {
    const { reply } = run.draft
    return reply?.content.length ? reply : notOpened
  },
  body: ({ run }, input) => {
    const message = asMessage(input, 'user', run.messageId())
    return run.record(message, message.id === run.draft.reply?.id ? run.draft.usage : undefined)
  },
}
