import { type Call, callsOf, type Message } from '../base/message.ts'
import { keepCalls, readCalls } from '../tools/replaced-calls.ts'
import { notOpened, type Stage } from './stage.ts'

/** Finds the tool calls in the reply. */
export const detect: Stage = {
  name: 'detect',
  light: true,
  description: 'find the tool calls in the reply',
  input: turn => turn.draft.reply ?? notOpened,
  body: ({ turn }, reply) => {
    turn.draft.calls = callsOf(reply as Message)
    return turn.draft.calls
  },
  read: readCalls,
  keep: (turn, calls) => keepCalls(turn, calls as readonly Call[]),
}
