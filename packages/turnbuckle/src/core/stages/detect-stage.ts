import { type Call, callsOf, type Message } from '../base/message.ts'
import { notOpened } from '../hooks/not-opened.ts'
import { keepGivenCalls, readGivenCalls } from '../tools/read-given-calls.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** Finds the tool calls in the reply. */
export const detectStage: BuiltInStage<'detect'> = {
  name: 'detect',
  description: 'find the tool calls in the reply',
  estimatedMs: 1,
  takes: undefined,
  gives: undefined,
  needed: undefined,
  opensWhenHalting: true,
  input: ({ step }) => step.draft.reply ?? notOpened,
  body: ({ turn: { step } }, reply) => {
    step.setCalls(callsOf(reply as Message))
    return step.draft.calls
  },
  read: readGivenCalls,
  adopt: readGivenCalls,
  keep: (turn, calls) => keepGivenCalls(turn, calls as readonly Call[]),
  toLog: undefined,
  fromLog: undefined,
}
