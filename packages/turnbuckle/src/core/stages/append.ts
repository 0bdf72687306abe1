import { asMessage, type Message } from '../message.ts'
import { notOpened, type Stage } from '../stage.ts'

/** Records a message. In the step it is the assistant's, before any tool runs. */
export const append: Stage = {
  name: 'append',
  description: 'record a message',
  required: true,
  input: run => {
    const { reply } = run.draft
    return reply?.content.length ? reply : notOpened
  },
  body: ({ run }, input) => {
    const message = input as Message
    return run.record(message, message.id === run.draft.reply?.id ? run.draft.usage : undefined)
  },
  check: frame => {
    frame.input = asMessage(frame.input, 'user', frame.run.messageId())
  },
}
