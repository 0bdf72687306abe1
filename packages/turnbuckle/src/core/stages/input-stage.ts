import { demand } from '../base/errors.ts'
import { asMessage, asSaid, type Message } from '../base/message.ts'
import { notOpened } from '../hooks/not-opened.ts'
import type { BuiltInStage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

const readSaid = (value: unknown, { turn }: StageFrame): Message => asSaid(value ?? turn.message, turn.message.id)

/** Takes the user's message. */
export const inputStage: BuiltInStage<'input'> = {
  name: 'input',
  description: "take the user's message",
  estimatedMs: 1,
  takes: 'message',
  gives: undefined,
  needed: 'place',
  precedesSteps: true,
  opensWhenHalting: true,
  input: ({ link, message }) => (link.goesOn ? notOpened : message),
  body: (_frame, message) => {
    // No sooner: until here a hook may have an answer to an empty message.
    demand((message as Message).content.length, 'message.empty', 'The message says nothing.')
    return message
  },
  current: (turn, given) => asSaid(given, turn.message.id),
  read: readSaid,
  adopt: readSaid,
  show: (step, message) => step.setUserMessage(message as Message),
  keep: (turn, given) => {
    const message = asMessage(given, 'user', turn.message.id)
    turn.setMessage(message)
    turn.step.setUserMessage(message)
  },
  follow: frame => frame.turn.append(frame, frame.turn.message),
  toLog: undefined,
  fromLog: undefined,
}
