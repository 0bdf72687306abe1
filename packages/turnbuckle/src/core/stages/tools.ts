import type { Call, ToolResult } from '../base/message.ts'
import { runBatch } from '../tools/batch.ts'
import { brokenResults, keepResults, readResults, recordBatch } from '../tools/batch-results.ts'
import { notOpened, type Stage } from './stage.ts'

/** Runs the batch of calls. */
export const tools: Stage = {
  name: 'tools',
  light: true,
  description: 'run the batch of calls',
  longRunning: true,
  input: turn => (turn.draft.calls.length && turn.openCalls.length ? turn.draft.calls : notOpened),
  body: (frame, calls) => runBatch(frame, calls as readonly Call[]),
  read: readResults,
  failed: brokenResults,
  show: (draft, results) => {
    draft.results = results as readonly ToolResult[]
  },
  keep: (turn, results) => keepResults(turn, results as readonly ToolResult[]),
  follow: recordBatch,
}
