import { demand } from '../base/errors.ts'
import { type Call, callsOf } from '../base/message.ts'
import { parseArguments } from '../model/model-attempt.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'

/** Reads calls that a hook gave as those of the reply. */
export function readGivenCalls(value: unknown, { turn }: StageFrame): readonly Call[] {
  const given = (value ?? []) as readonly Call[]
  const named = Array.isArray(given) && given.every(call => typeof call?.name === 'string')
  demand(named, 'calls.invalid', 'Expected a list of calls { id?, name, args }.')
  const calls: Call[] = []
  for (const call of given)
    calls.push({ ...call, type: 'call', id: turn.ids.call(call.id, calls), args: parseArguments(call.args) })
  return calls
}

/** Given calls take the place of those the model made, also in the reply that will be recorded. */
export function keepGivenCalls({ step, calls: ofTurn }: TurnState, calls: readonly Call[]): void {
  const { reply } = step.draft
  if (!reply || calls === step.draft.calls) return
  ofTurn.setCut(undefined)
  const found = callsOf(reply)
  const rest = reply.content.filter(part => !(part.type === 'call' && found.includes(part)))
  step.replaceCalls(calls, { ...reply, content: [...rest, ...calls] })
}
