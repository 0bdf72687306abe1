import type { Message } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import { callModel, keepReply, readReply } from '../model/call-model.ts'
import { buildPrompt, catchUp, madeOf } from '../model/prompt.ts'
import type { Stage } from './stage.ts'

/** Streams the reply. Each time a wrap calls `next` is an attempt of its own. */
export const model: Stage = {
  name: 'model',
  light: true,
  description: 'stream the reply',
  longRunning: true,
  input: turn => {
    turn.steps++
    if (turn.past) turn.attempts = Math.max(turn.attempts, turn.past.attempts(turn.step))
    return buildPrompt(turn)
  },
  current: (turn, given, handed) => catchUp(turn, madeOf(handed, given) as Prompt),
  check: frame => {
    frame.input = catchUp(frame.turn, frame.input as Prompt)
  },
  body: (frame, prompt) => callModel(frame, prompt as Prompt),
  read: readReply,
  show: (draft, reply) => {
    draft.reply = reply as Message
  },
  keep: (turn, reply) => keepReply(turn, reply as Message),
}
