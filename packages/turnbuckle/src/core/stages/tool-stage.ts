import { isInterrupted, kindOf, messageOf, TurnbuckleError } from '../base/errors.ts'
import type { Call, ToolResult } from '../base/message.ts'
import { cutOffRunning } from '../history/call-pairing.ts'
import { prepareCall, runTool } from '../tools/run-tool.ts'
import { readResult } from '../tools/tool.ts'
import type { BuiltInStage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** Without what redactors take out: a hook's result may come behind their own hooks. */
const cleaned = ({ turn }: StageFrame, result: ToolResult): ToolResult => turn.hooks.redactResult?.(result) ?? result

/** Runs one call. */
export const toolStage: BuiltInStage<'tool'> = {
  name: 'tool',
  description: 'run one call',
  estimatedMs: 1000,
  longRunning: true,
  takes: 'call',
  gives: undefined,
  needed: 'name',
  errorKind: 'tool',
  outlivesErrors: true,
  // A hook may change what is called, not which call is answered.
  current: (_turn, given, handed) => {
    const { id } = handed as Call
    return (given as Call).id === id ? given : { ...(given as Call), id }
  },
  check: prepareCall,
  body: runTool,
  read: (given, frame) => cleaned(frame, readResult(given)),
  adopt: (given, frame) => cleaned(frame, readResult(given)),
  failed: (error, frame): ToolResult => {
    if (frame.turn.interrupted && isInterrupted(error)) return cutOffRunning
    const status = kindOf(error, 'tool') === 'timeout' ? 'timeout' : 'error'
    return cleaned(frame, { status, value: messageOf(error) })
  },
  blocked: (_frame, result) => result,
  failureBlocks: () => true,
  // A call that was blocked or denied has the error kind `toolBlocked`.
  refusal: ({ result, call }) => {
    const { status, value } = (result ?? {}) as Partial<ToolResult>
    if (status !== 'blocked' && status !== 'denied') return undefined
    return new TurnbuckleError('tool.blocked', `${call?.name} was ${status}: ${String(value)}`, { kind: 'toolBlocked' })
  },
  toLog: undefined,
  fromLog: undefined,
}
