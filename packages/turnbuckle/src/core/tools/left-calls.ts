import { noteOnce } from '../base/developer-note.ts'
import { messageOf } from '../base/errors.ts'
import type { Call } from '../base/message.ts'
import type { Tool } from '../types/tool.ts'
import type { TurnState } from '../types/turn-state.ts'

/** Ends what works for a call that a process has begun, and whose turn is interrupted before another has run it again. */
type EndLeft = (turn: TurnState, call: Call, reason: string) => Promise<void>

/** By the tool's function: an agent keeps a copy of a tool whose arguments it checks. */
const ends = new WeakMap<Tool['run'], EndLeft>()

export function endLeftCallsBy({ run }: Tool, end: EndLeft): void {
  ends.set(run, end)
}

/** Sees to a call that nobody has run again since a process left it. */
export function endLeftCall(turn: TurnState, call: Call, reason: string): void {
  const tool = turn.agent.toolsOf(turn).find(call.name)
  const end = tool && ends.get(tool.run)
  // The turn has told its end: no event can come after it.
  end?.(turn, call, reason).catch(error =>
    noteOnce(turn, call.id, () => `What worked for "${call.name}" could not be ended: ${messageOf(error)}`),
  )
}
