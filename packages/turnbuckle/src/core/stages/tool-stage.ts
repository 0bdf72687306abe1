import { isInterrupted, kindOf, messageOf, TurnbuckleError } from '../base/errors.ts'
import type { Call, ToolResult } from '../base/message.ts'
import { cutOffRunning } from '../history/call-pairing.ts'
import { prepareCall, runTool } from '../tools/run-tool.ts'
import { readResult } from '../tools/tool.ts'
import type { BuiltInStage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** A result that a hook gives: it may come behind the redactors' own hooks. */
const readGiven = (given: unknown, { turn }: StageFrame): ToolResult => turn.hooks.cleanResult(readResult(given))

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
  read: readGiven,
  adopt: readGiven,
  failed: (error, { turn }): ToolResult => {
    if (turn.interrupted && isInterrupted(error)) return cutOffRunning
    const status = kindOf(error, 'tool') === 'timeout' ? 'timeout' : 'error'
    return turn.hooks.cleanResult({ status, value: messageOf(error) })
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
