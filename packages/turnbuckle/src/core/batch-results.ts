import type { Frame } from './frame.ts'
import type { Call, ToolResult } from './message.ts'
import type { Run } from './run.ts'
import { readResult } from './tool.ts'

const notRun = 'The tools were not run.'

/** Results that a hook gave for a batch, in call order: one reason for all, or one each. */
export function readResults(value: unknown, { input }: Frame): readonly ToolResult[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : []
  const reason = typeof value === 'string' ? value : notRun
  return (input as readonly Call[]).map((_call, i) =>
    given[i] === undefined ? { status: 'blocked', value: reason } : readResult(given[i]),
  )
}

/** The batch broke: what had ended counts. */
export const brokenResults = (_error: unknown, { input, run }: Frame): readonly ToolResult[] =>
  (input as readonly Call[]).map(call => run.finished.get(call.id) ?? { status: 'blocked', value: notRun })

/** These are the results of the step. One that a hook changed after its call had ended takes the place of the other. */
export function keepResults(run: Run, results: readonly ToolResult[]): void {
  run.draft.results = results
  const { calls } = run.draft
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i] as Call
    const result = results[i]
    if (result && run.finished.get(call.id) !== result) run.finish(call, result, 0)
  }
}
