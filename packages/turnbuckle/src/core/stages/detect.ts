import { parsed } from '../attempt.ts'
import { TurnbuckleError } from '../errors.ts'
import { type Call, callsOf, type Message } from '../message.ts'
import { notOpened, type Stage } from '../stage.ts'

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
  read: (value = [], { run }) => {
    if (!Array.isArray(value))
      throw new TurnbuckleError('calls.invalid', `Expected a list of calls { id?, name, args }, got ${typeof value}.`)
    const calls: Call[] = []
    for (const call of value as readonly Call[])
      calls.push({ ...call, type: 'call', id: run.names.call(call.id, calls), args: parsed(call.args) })
    return calls
  },
  keep: (run, calls) => {
    const given = calls as readonly Call[]
    const { reply } = run.draft
    if (!reply || given === run.draft.calls) return
    run.draft.calls = given
    run.cutCall = undefined
    const found = callsOf(reply)
    const rest = reply.content.filter(part => !(part.type === 'call' && found.includes(part)))
    run.draft.reply = { ...reply, content: [...rest, ...given] }
  },
}
