import { demand } from '../base/errors.ts'
import { asMessage, asSaid, type Message } from '../base/message.ts'
import type { Stage } from './stage.ts'

/** Takes the user's message. */
export const input: Stage = {
  name: 'input',
  description: "take the user's message",
  input: turn => turn.message,
  body: (_frame, message) => {
    // No sooner: until here a hook may have an answer to nothing.
    demand((message as Message).content.length, 'message.empty', 'The message says nothing.')
    return message
  },
  current: (turn, given) => asSaid(given, turn.message.id),
  read: (value, { turn }) => asSaid(value ?? turn.message, turn.message.id),
  show: (draft, message) => {
    draft.userMessage = message as Message
  },
  keep: (turn, message) => {
    turn.message = turn.draft.userMessage = asMessage(message, 'user', turn.message.id)
  },
  follow: frame => frame.turn.append(frame, frame.turn.message),
}
