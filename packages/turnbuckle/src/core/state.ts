import type { Middleware } from './hooks.ts'
import type { Run } from './run.ts'

/** A middleware's own state, as of now in its scope. */
export function readState(run: Run, owner: Middleware): unknown {
  const kept = stateOf(run, owner)
  return kept === undefined ? owner.state : kept
}

function stateOf(run: Run, owner: Middleware): unknown {
  if (owner.scope === 'turn') return run.states.get(owner.name)
  if (owner.scope === 'branch') return run.branchState[owner.name]
  return run.thread.states.get(owner.name)
}

/** Applies the change to the newest state, so that updates of calls that run side by side never get lost. */
export function updateState(run: Run, owner: Middleware, change: (state: never) => unknown): void {
  const next = change(readState(run, owner) as never)
  if (typeof next === 'object' && next !== null) Object.freeze(next)
  if (owner.scope === 'turn') run.states.set(owner.name, next)
  else if (owner.scope === 'branch') run.branchState = { ...run.branchState, [owner.name]: next }
  else run.thread.states.set(owner.name, next)
}
