import { isInterrupted, kindOf, messageOf } from '../errors.ts'
import { isToolResult, type ToolResult } from '../message.ts'
import { callTool, prepare } from '../run-tool.ts'
import type { Stage } from '../stage.ts'

/** Runs one call. */
export const tool: Stage = {
  name: 'tool',
  description: 'run one call',
  longRunning: true,
  check: prepare,
  body: callTool,
  read: value => (isToolResult(value) ? value : { status: 'ok', value: value ?? null }),
  failed: (error, frame): ToolResult => {
    if (frame.run.interrupted && isInterrupted(error))
      return { status: 'interrupted', value: 'Interrupted. It may have completed.' }
    return { status: kindOf(error, 'tool') === 'timeout' ? 'timeout' : 'error', value: messageOf(error) }
  },
}
