import { isInterrupted, kindOf, messageOf } from '../errors.ts'
import type { ToolResult } from '../message.ts'
import { callTool, prepare } from '../run-tool.ts'
import type { Stage } from '../stage.ts'
import { readResult } from '../tool.ts'

/** Runs one call. */
export const tool: Stage = {
  name: 'tool',
  description: 'run one call',
  longRunning: true,
  check: prepare,
  body: callTool,
  read: readResult,
  failed: (error, frame): ToolResult => {
    if (frame.run.interrupted && isInterrupted(error))
      return { status: 'interrupted', value: 'Interrupted. It may have completed.' }
    return { status: kindOf(error, 'tool') === 'timeout' ? 'timeout' : 'error', value: messageOf(error) }
  },
}
