import { type Call, callsOf, type Message } from '../base/message.ts'
import { keepCalls, readCalls } from '../tools/replaced-calls.ts'
import { notOpened, type Stage } from './stage.ts'

/** Finds the tool calls in the reply. */
export const detect: Stage = {
  name: 'detect',
  light: true,
  description: 'find the tool calls in the reply',
  input: run => run.draft.reply ?? notOpened,
  body: ({ run }, reply) => {
    run.draft.calls = callsOf(reply as Message)
    return run.draft.calls
  },
  read: readCalls,
  keep: (run, calls) => keepCalls(run, calls as readonly Call[]),
}
