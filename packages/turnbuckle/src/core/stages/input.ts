import { demand } from '../base/errors.ts'
import { asMessage, asSaid, type Message } from '../base/message.ts'
import type { Stage } from './stage.ts'

/** Takes the user's message. */
export const input: Stage = {
  name: 'input',
  description: "take the user's message",
  input: run => run.message,
  body: (_frame, message) => {
    // No sooner: until here a hook may have an answer to nothing.
    demand((message as Message).content.length, 'message.empty', 'The message says nothing.')
    return message
  },
  current: (run, given) => asSaid(given, run.message.id),
  read: (value, { run }) => asSaid(value ?? run.message, run.message.id),
  show: (draft, message) => {
    draft.userMessage = message as Message
  },
  keep: (run, message) => {
    run.message = run.draft.userMessage = asMessage(message, 'user', run.message.id)
  },
  follow: frame => frame.run.append(frame, frame.run.message),
}
