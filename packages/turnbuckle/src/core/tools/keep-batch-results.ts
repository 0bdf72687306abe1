import type { Call, ResultPart, ToolResult } from '../base/message.ts'
import { batchNotRun, notRunBecause } from '../history/call-pairing.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { readResult } from './tool.ts'

/** Results that a hook gave for a batch, in call order: one reason for all, or one result each. */
export function readBatchResults(value: unknown, { input }: StageFrame): readonly ToolResult[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : []
  const otherwise = typeof value === 'string' ? notRunBecause(value) : batchNotRun
  return (input as readonly Call[]).map((_call, i) => (given[i] === undefined ? otherwise : readResult(given[i])))
}

/** The results of a batch that broke: calls that had ended keep theirs. A hook may have put something that is no list in the place of the calls. */
export function brokenBatchResults(_error: unknown, { input, turn }: StageFrame): readonly ToolResult[] {
  const calls: readonly Call[] = Array.isArray(input) ? input : turn.step.draft.calls
  return calls.map(call => turn.calls.finished(call.id) ?? batchNotRun)
}

/** Keeps the results of the step. A result that a hook changed after its call had ended takes the place of the other. */
export function keepBatchResults(turn: TurnState, results: readonly ToolResult[]): void {
  turn.step.setResults(results)
  turn.step.draft.calls.forEach((call, i) => {
    const result = results[i]
    const told = turn.calls.finished(call.id)
    if (!result || told === result) return
    turn.finish(call, result, 0)
    if (told && (told.value !== result.value || told.status !== result.status)) turn.calls.replace(call.id)
  })
}

/** Results that were told otherwise are told again, as the hooks that look at messages have left them. */
export function tellReplacedResults(turn: TurnState): void {
  if (!turn.calls.hasReplaced) return
  for (let node = turn.branch.tip; !turn.over && node?.message.role === 'tool'; node = node.parent) {
    const { id, message } = node
    if (turn.calls.takeReplaced((message.content[0] as ResultPart).id))
      turn.tell({ type: 'message.replaced', messageId: id, message })
  }
}
