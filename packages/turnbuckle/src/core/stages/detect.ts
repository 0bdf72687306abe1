import { parsed } from '../attempt.ts'
import { type Call, callsOf, type Message } from '../message.ts'
import { notOpened, type Stage } from '../stage.ts'

/** Finds the tool calls in the reply. */
export const detect: Stage = {
  name: 'detect',
  description: 'find the tool calls in the reply',
  input: run => run.draft.reply ?? notOpened,
  body: (_frame, reply) => callsOf(reply as Message),
  read: (value, { run }) =>
    ((value ?? []) as readonly Call[]).map(call => ({
      ...call,
      type: 'call',
      id: run.uniqueCallId(call.id),
      args: parsed(call.args),
    })),
  keep: (run, calls) => {
    const given = calls as readonly Call[]
    const { reply } = run.draft
    run.draft.calls = given
    if (!reply) return
    const found = callsOf(reply)
    if (given.length === found.length && given.every((call, i) => call === found[i])) return
    const rest = reply.content.filter(part => !(part.type === 'call' && found.includes(part)))
    run.draft.reply = { ...reply, content: [...rest, ...given] }
  },
}
