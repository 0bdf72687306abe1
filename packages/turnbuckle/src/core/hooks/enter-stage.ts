import { deepFreeze } from '../base/deep-freeze.ts'
import { interrupted } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { isThenable } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { acceptDirective } from './accept-directive.ts'
import { callHook } from './call-hook.ts'
import { appliesTo, type HookEntry } from './hook-set.ts'
import { homeOf } from './middleware-state.ts'
import { allEntered } from './stage-frame.ts'

/**
 * Enters a stage: before hooks, then the check of its input, then the guards on the input that will really be used. A stage without
 * hooks only has its input checked.
 */
export function enterStage(frame: StageFrame): Maybe<void> {
  if (frame.hooks.empty) return checkInput(frame)
  return frame.turn.replay.restoreEntered(frame) ? enterAgain(frame) : callBeforeHooks(frame)
}

async function callBeforeHooks(frame: StageFrame): Promise<void> {
  const { before, guards } = frame.hooks
  if (before.length) await callInOrder(frame, before)
  if (frame.status === 'open' && (frame.stage.check || guards.length)) await guardInput(frame)
  if (frame.status === 'open' && frame.problem === undefined) frame.reached = allEntered
  frame.turn.replay.noteEntered(frame)
}

/**
 * A resumed stage whose before hooks have finished has its input checked again. An input that was refused then may pass
 * now (the process has another tool, or another schema): the guards are asked about it for the first time.
 */
async function enterAgain(frame: StageFrame): Promise<void> {
  if (frame.status !== 'open') return
  await (frame.turn.replay.wasRefused(frame) ? guardInput(frame) : checkInput(frame))
}

/** Checks the input and asks the guards about it, as it is now. */
export async function guardInput(frame: StageFrame): Promise<void> {
  const checking = checkInput(frame)
  if (checking) await checking
  const { guards } = frame.hooks
  if (frame.problem !== undefined || !guards.length) return
  deepFreeze(frame.input)
  await callInOrder(frame, guards)
  // A person may change a call while answering a guard's request: the guards then look at the changed call.
  if (frame.status === 'open' && frame.takeRevisedCall()) await guardInput(frame)
}

/** Leaves what is wrong with the input in `frame.problem`: the body throws it, after the hooks have seen the stage. */
function checkInput(frame: StageFrame): Maybe<void> {
  const { stage } = frame
  if (!stage.check) return
  if (frame.problem !== undefined) frame.problem = undefined
  try {
    const checking = stage.check(frame)
    if (isThenable(checking)) return Promise.resolve(checking).catch(error => frame.refuse(error))
  } catch (error) {
    frame.refuse(error)
  }
}

/** Calls before hooks until one ends the chain, fails its stage, or an interrupt comes. */
async function callInOrder(frame: StageFrame, hooks: readonly HookEntry[]): Promise<void> {
  const wasInterrupted = frame.turn.interrupted
  try {
    for (const entry of hooks) {
      if (!appliesTo(entry, frame)) continue
      if (entry.position > frame.reached) frame.reached = entry.position
      const returned = await callBeforeHook(frame, entry)
      if (frame.turn.interrupted) return
      const isLast = acceptDirective(frame, entry, returned)
      if (frame.turn.interrupted) throw interrupted()
      if (isLast) return
    }
  } catch (error) {
    // An interrupt that comes while a hook's failure is told counts before the failure.
    frame.fail(frame.turn.interrupted && !wasInterrupted ? interrupted() : error)
  }
}

/** A guard whose state is that of a turn above in another process decides with its consent: one that is gone gives none, so an interrupt ends the wait. */
function callBeforeHook(frame: StageFrame, entry: HookEntry): unknown {
  const { turn } = frame
  const caller = turn.parent && homeOf(turn, entry.owner).link.caller
  if (!caller) return callHook(frame, entry)
  const wasInterrupted = turn.interrupted
  const decided = caller.decide(entry.owner, () => {
    if (turn.interrupted && !wasInterrupted) throw interrupted()
    return callHook(frame, entry)
  })
  return turn.interrupted ? turn.time.cleanup.race(decided) : turn.time.waits.race(decided)
}
