import { demand } from '../base/errors.ts'
import { type Call, callsOf } from '../base/message.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { parsed } from '../model/model-attempt.ts'
import type { TurnState } from '../turn/turn-state.ts'

/** Calls that a hook gave as those of the reply. */
export function readCalls(value: unknown, { turn }: StageFrame): readonly Call[] {
  const given = (value ?? []) as readonly Call[]
  const named = Array.isArray(given) && given.every(call => typeof call?.name === 'string')
  demand(named, 'calls.invalid', 'Expected a list of calls { id?, name, args }.')
  const calls: Call[] = []
  for (const call of given)
    calls.push({ ...call, type: 'call', id: turn.ids.call(call.id, calls), args: parsed(call.args) })
  return calls
}

/** They take the place of those the model made, also in what will be recorded. */
export function keepCalls(turn: TurnState, calls: readonly Call[]): void {
  const { reply } = turn.draft
  if (!reply || calls === turn.draft.calls) return
  turn.draft.calls = calls
  turn.cutCall = undefined
  const found = callsOf(reply)
  const rest = reply.content.filter(part => !(part.type === 'call' && found.includes(part)))
  turn.draft.reply = { ...reply, content: [...rest, ...calls] }
}
