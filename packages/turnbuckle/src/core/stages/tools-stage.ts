import type { Call, ToolResult } from '../base/message.ts'
import { notOpened } from '../hooks/not-opened.ts'
import {
  brokenBatchResults,
  keepBatchResults,
  readBatchResults,
  tellReplacedResults,
} from '../tools/keep-batch-results.ts'
import { runBatch } from '../tools/run-batch.ts'
import { recordResults } from '../turn/close-calls.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** Runs the batch of calls. */
export const toolsStage: BuiltInStage<'tools'> = {
  name: 'tools',
  description: 'run the batch of calls',
  estimatedMs: 1000,
  longRunning: true,
  takes: 'calls',
  gives: 'results',
  needed: undefined,
  holdsOthers: true,
  input: ({ step, branch }) => (step.draft.calls.length && branch.openCalls.length ? step.draft.calls : notOpened),
  body: (frame, calls) => runBatch(frame, calls as readonly Call[]),
  read: readBatchResults,
  adopt: readBatchResults,
  failed: brokenBatchResults,
  blocked: ({ input }, result) => (input as readonly Call[]).map(() => result),
  failureBlocks: point => point === 'before',
  show: (step, results) => step.setResults(results as readonly ToolResult[]),
  keep: (turn, results) => keepBatchResults(turn, results as readonly ToolResult[]),
  follow: frame => {
    const recording = recordResults(frame)
    return frame.turn.calls.hasReplaced ? recording.then(() => tellReplacedResults(frame.turn)) : recording
  },
  toLog: undefined,
  fromLog: undefined,
}
