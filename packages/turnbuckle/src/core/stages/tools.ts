import { runBatch } from '../batch.ts'
import type { Call, ToolResult } from '../message.ts'
import { recordResults } from '../settle.ts'
import { notOpened, type Stage } from '../stage.ts'
import { readResult } from '../tool.ts'

/** Runs the batch of calls. */
export const tools: Stage = {
  name: 'tools',
  light: true,
  description: 'run the batch of calls',
  longRunning: true,
  input: run => (run.draft.calls.length && run.openCalls.length ? run.draft.calls : notOpened),
  body: (frame, calls) => runBatch(frame, calls as readonly Call[]),
  read: (value, { input }) => {
    const given: readonly unknown[] = Array.isArray(value) ? value : []
    const reason = typeof value === 'string' ? value : 'The tools were not run.'
    return (input as readonly Call[]).map((_call, i) =>
      given[i] === undefined ? { status: 'blocked', value: reason } : readResult(given[i]),
    )
  },
  failed: (_error, { input, run }) =>
    (input as readonly Call[]).map(
      call => run.finished.get(call.id) ?? { status: 'blocked', value: 'The tools were not run.' },
    ),
  show: (draft, results) => {
    draft.results = results as readonly ToolResult[]
  },
  keep: (run, results) => {
    run.draft.results = results as readonly ToolResult[]
    for (let i = 0; i < run.draft.calls.length; i++) {
      const call = run.draft.calls[i] as Call
      const result = run.draft.results[i]
      if (result && run.finished.get(call.id) !== result) run.finish(call, result, 0)
    }
  },
  follow: recordResults,
}
