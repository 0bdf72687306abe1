import { deepFreeze } from '../base/deep-freeze.ts'
import { isPromise } from '../base/ports.ts'
import { accept } from './accept-directive.ts'
import { invokeInChain, uncut } from './call-hook.ts'
import { afterwards, each, type Wait } from './each.ts'
import { applies, type HookEntry } from './hook-set.ts'
import type { StageFrame } from './stage-frame.ts'

/** The before hooks, then the check of the input, then the guards on the input that will really be used. */
export function enter(frame: StageFrame): Wait {
  if (frame.chain.empty) return check(frame)
  return afterwards(askAll(frame, frame.chain.before), watched, frame)
}

function watched(frame: StageFrame): Wait {
  return frame.status === 'open' ? afterwards(watch(frame), entered, frame) : undefined
}
function entered(frame: StageFrame): void {
  if (frame.status === 'open') frame.reached = Number.MAX_SAFE_INTEGER
}

/** Checks the input, and asks the guards about it as it is now. */
export function watch(frame: StageFrame): Wait {
  return afterwards(check(frame), guarded, frame)
}

/** Finds out what is wrong with the input. */
export function check(frame: StageFrame): Wait {
  const { stage } = frame
  if (!stage.check) return
  if (frame.problem !== undefined) frame.problem = undefined
  try {
    const checking = stage.check(frame)
    if (isPromise(checking)) return checking.then(undefined, invalid(frame))
  } catch (error) {
    invalid(frame)(error)
  }
}
const invalid = (frame: StageFrame) => (error: unknown) => {
  frame.problem = error ?? new Error('The input is not valid.')
}

function guarded(frame: StageFrame): Wait {
  if (frame.problem !== undefined || !frame.chain.guards.length) return
  deepFreeze(frame.input)
  return afterwards(askAll(frame, frame.chain.guards), lookAgain, frame)
}

/** A person may change a call while answering; the guards then look at the changed one. */
function lookAgain(frame: StageFrame): Wait {
  if (!frame.revised || frame.status !== 'open') return
  frame.turn.edit(frame.revised)
  frame.input = frame.call = frame.revised
  frame.revised = undefined
  return watch(frame)
}

/** One before hook: true when it ends the chain. */
function ask(frame: StageFrame, entry: HookEntry): unknown {
  if (!applies(entry, frame)) return false
  if (entry.position > frame.reached) frame.reached = entry.position
  return invokeInChain(frame, entry, take)
}

/** What comes after an interrupt comes too late: the chain has been left. */
const take = (frame: StageFrame, entry: HookEntry, returned: unknown): boolean =>
  frame.turn.interrupted || (returned !== undefined && accept(frame, entry, returned))

/** A chain of before hooks, until one ends it, or breaks, or an interrupt comes. */
function askAll(frame: StageFrame, list: readonly HookEntry[]): Wait {
  const broke = (error: unknown) => frame.broke(error)
  try {
    const asking = each(list, entry => ask(frame, entry))
    return isPromise(asking) ? uncut(frame, asking).catch(broke) : asking
  } catch (error) {
    broke(error)
  }
}
