import type { Call, ResultPart, ToolResult } from '../base/message.ts'
import type { Wait } from '../hooks/each.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { recordResults } from '../turn/settle-turn.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { readResult } from './tool.ts'

const notRun = 'The tools were not run.'

/** Results that a hook gave for a batch, in call order: one reason for all, or one each. */
export function readResults(value: unknown, { input }: StageFrame): readonly ToolResult[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : []
  const reason = typeof value === 'string' ? value : notRun
  return (input as readonly Call[]).map((_call, i) =>
    given[i] === undefined ? { status: 'blocked', value: reason } : readResult(given[i]),
  )
}

/** The batch broke: what had ended counts. */
export const brokenResults = (_error: unknown, { input, turn }: StageFrame): readonly ToolResult[] =>
  (input as readonly Call[]).map(call => turn.finished.get(call.id) ?? { status: 'blocked', value: notRun })

/** These are the results of the step. One that a hook changed after its call had ended takes the place of the other. */
export function keepResults(turn: TurnState, results: readonly ToolResult[]): void {
  turn.draft.results = results
  const { calls } = turn.draft
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i] as Call
    const result = results[i]
    const told = turn.finished.get(call.id)
    if (!result || told === result) continue
    turn.finish(call, result, 0)
    if (told && (told.value !== result.value || told.status !== result.status))
      turn.replaced = (turn.replaced ?? new Set()).add(call.id)
  }
}

/** Records them; what was told otherwise is told again, as the hooks that look at messages have left it. */
export function recordBatch(frame: StageFrame): Wait {
  const { turn } = frame
  const recording = recordResults(frame)
  const { replaced } = turn
  return replaced ? tellReplaced(recording, turn, replaced) : recording
}

async function tellReplaced(recording: Wait, turn: TurnState, ids: Set<string>): Promise<void> {
  await recording
  for (let node = turn.tip; !turn.over && node?.message.role === 'tool'; node = node.parent) {
    const { id, message } = node
    if (ids.delete((message.content[0] as ResultPart).id))
      turn.emit({ type: 'message.replaced', messageId: id, message })
  }
}
