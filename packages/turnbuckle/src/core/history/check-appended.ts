import { TurnbuckleError } from '../base/errors.ts'
import { callsOf, type Message } from '../base/message.ts'
import type { TurnState } from '../turn/turn-state.ts'

/** A hook may change what a message says, not which calls it makes or answers: the history would not hold any more. */
export function checkAppended({ openCalls, draft }: TurnState, message: Message): void {
  const owed = openCalls[0]
  // As they mostly are: the reply that nobody has changed, the one result that is owed.
  if (!owed && message === draft.reply && message.content.length) return
  const [only] = message.content
  if (owed && message.role === 'tool' && message.content.length === 1 && only?.type === 'result' && only.id === owed.id)
    return
  const answered = message.content.filter(part => part.type === 'result').map(part => part.id)
  if (owed ? message.role !== 'tool' || answered.length !== 1 || answered[0] !== owed.id : message.role === 'tool')
    throw changed(owed ? `it must be the result of "${owed.id}"` : 'no call waits for a result')
  const made = callsOf(message).map(({ id }) => id)
  const wanted = draft.reply && message.id === draft.reply.id ? callsOf(draft.reply).map(({ id }) => id) : []
  if (made.join() !== wanted.join()) throw changed('its calls are not those that will run')
  if (!message.content.length) throw changed('it is empty')
}

const changed = (why: string): TurnbuckleError =>
  new TurnbuckleError(
    'message.changed',
    `The message cannot be recorded: ${why}. Before it is appended only its text and values may change; return skip(calls) in beforeDetect to change calls.`,
    { kind: 'validation' },
  )
