import { freeze } from '../base/deep-freeze.ts'
import type { Run } from '../turn/turn-state.ts'
import type { Middleware } from './hook-set.ts'

/** A middleware's own state, as of now in its scope. */
export function readState(run: Run, owner: Middleware): unknown {
  const kept = stateOf(homeOf(run, owner), owner)
  return kept === undefined ? freeze(owner.state) : kept
}

/** A guard that a sub-agent inherited has one state, where it came from: budgets and grants are shared. */
function homeOf(run: Run, owner: Middleware): Run {
  const own = run.use.includes(owner) || run.core.hooks.has(owner)
  return !own && run.parent?.hooks.has(owner) ? homeOf(run.parent, owner) : run
}

function stateOf(run: Run, owner: Middleware): unknown {
  if (owner.scope === 'turn') return run.states.get(owner.name)
  if (owner.scope === 'branch') return run.branchState[owner.name]
  return run.thread.states.get(owner.name)
}

/** Applies the change to the newest state, so that updates of calls that run side by side never get lost. */
export function updateState(run: Run, owner: Middleware, change: (state: never) => unknown): void {
  const next = freeze(change(readState(run, owner) as never))
  const home = homeOf(run, owner)
  home.stateNotes.changed({ scope: owner.scope, name: owner.name, value: next })
  if (owner.scope === 'turn') home.states.set(owner.name, next)
  else if (owner.scope === 'branch') {
    home.branchState = { ...home.branchState, [owner.name]: next }
    // A handle that is forked from here on has it too.
    if (home.tip?.turnId === home.id) home.tip.state = home.branchState
  } else home.thread.states.set(owner.name, next)
}
