import { callsOf, type Message, type ResultPart } from '../base/message.ts'
import type { TurnCall } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { ownMessages } from './turn-result.ts'

/** The calls of a turn so far, with their results. Read from its messages when asked for. */
export function callsOfTurn(turn: TurnState): readonly TurnCall[] {
  const messages = ownMessages(turn)
  const { reply, calls } = turn.step.draft
  const recorded = messages.filter(({ role }) => role === 'assistant')
  const results = new Map(messages.flatMap(resultsIn).map(part => [part.id, part]))
  const made = recorded.flatMap(message => callsOf(message).map(call => ({ call, messageId: message.id })))
  const unrecorded = reply && !recorded.some(({ id }) => id === reply.id) ? (calls.length ? calls : callsOf(reply)) : []
  const inFlight = unrecorded.map(call => ({ call, messageId: reply?.id ?? '' }))
  return [...made, ...inFlight].map(({ call: { id, name, args }, messageId }) => {
    const part = results.get(id)
    const result = part ? { status: part.status, value: part.value } : turn.calls.finished(id)
    const ranWith = part?.args ?? turn.calls.edited(id) ?? args
    return { id, name, args: ranWith, messageId, ...(result ? { result } : {}) }
  })
}

const resultsIn = ({ content }: Message): ResultPart[] => content.filter(part => part.type === 'result')
