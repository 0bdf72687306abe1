import { TurnbuckleError } from '../base/errors.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { HookEntry } from './hook-set.ts'

/** Engines say it in their own words: V8, JavaScriptCore, SpiderMonkey. */
const isFrozenError =
  /read.?only|not extensible|only a getter|cannot (delete|add|assign|define|redefine) property|can't (delete|define)/i

/** The error of a hook that changed a value of its context in place, with the name of the call that changes it. Any other error as it is. */
export function explainFrozen({ stage }: StageFrame, { point, owner }: HookEntry, error: unknown): unknown {
  if (!(error instanceof TypeError) || !isFrozenError.test(error.message)) return error
  const fixes = [
    ...(point === 'before' && stage.takes ? [`assign ctx.${stage.takes} = … to change what the stage is given`] : []),
    ...(point === 'wrap' ? ['pass the changed input to next(…), and return the changed result'] : []),
    ...(point === 'after' ? ['return replace(…) to change the result'] : []),
    ...(owner.state === undefined ? [] : ['call ctx.update(state => …) to change the state']),
  ]
  const fix = fixes.join('; ') || 'make a copy'
  return new TurnbuckleError('context.frozen', `${error.message}. Values of ctx are frozen: ${fix}.`, { cause: error })
}
