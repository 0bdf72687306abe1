import { isInterrupted, kindOf, messageOf } from '../base/errors.ts'
import type { Call, ToolResult } from '../base/message.ts'
import { callTool, prepare } from '../tools/run-tool.ts'
import { readResult } from '../tools/tool.ts'
import type { Stage } from './stage.ts'

/** Runs one call. */
export const tool: Stage = {
  name: 'tool',
  description: 'run one call',
  longRunning: true,
  // A hook may change what is called, not which call is answered.
  current: (_run, given, handed) => {
    const { id } = handed as Call
    return (given as Call).id === id ? given : { ...(given as Call), id }
  },
  check: prepare,
  body: callTool,
  read: readResult,
  failed: (error, frame): ToolResult => {
    if (frame.turn.interrupted && isInterrupted(error))
      return { status: 'interrupted', value: 'Interrupted. It may have completed.' }
    return { status: kindOf(error, 'tool') === 'timeout' ? 'timeout' : 'error', value: messageOf(error) }
  },
}
