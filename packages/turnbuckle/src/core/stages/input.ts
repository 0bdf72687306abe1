import { asMessage, type Message } from '../message.ts'
import type { Stage } from '../stage.ts'

/** Takes the user's message. */
export const input: Stage = {
  name: 'input',
  description: "take the user's message",
  input: run => run.message,
  body: (_frame, message) => message,
  read: (value, { run }) => asMessage(value ?? run.message, 'user', run.message.id),
  show: (draft, message) => {
    draft.userMessage = message as Message
  },
  keep: (run, message) => {
    run.message = run.draft.userMessage = asMessage(message, 'user', run.message.id)
  },
  follow: frame => frame.run.append(frame, frame.run.message),
}
