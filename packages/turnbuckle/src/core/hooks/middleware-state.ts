import { freezePlain } from '../base/plain-data.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { Middleware } from './middleware.ts'

/** A middleware's own state, as of now in its scope. */
export function middlewareState(turn: TurnState, owner: Middleware): unknown {
  const kept = stateOf(homeOf(turn, owner), owner)
  return kept === undefined ? owner.state : kept
}

/** The turn whose state it is. A guard that a sub-agent inherited has one state, where it came from: budgets and grants are shared. */
export function homeOf(turn: TurnState, owner: Middleware): TurnState {
  const own = turn.use.includes(owner) || turn.agent.hooks.has(owner)
  return !own && turn.parent?.hooks.has(owner) ? homeOf(turn.parent, owner) : turn
}

function stateOf(turn: TurnState, owner: Middleware): unknown {
  if (owner.scope === 'turn') return turn.hookData.state(owner.name)
  if (owner.scope === 'branch') return turn.branch.state[owner.name]
  return turn.conversation.states.get(owner.name)
}

/** Applies the change to the newest state, so that updates of calls that run side by side never get lost. */
export function updateMiddlewareState(turn: TurnState, owner: Middleware, change: (state: never) => unknown): void {
  const before = middlewareState(turn, owner)
  const next = freezePlain(change(before as never), `"${owner.name}": state`, before)
  const home = homeOf(turn, owner)
  home.link.caller?.changed(owner, change, before)
  home.stateLog.changed({ scope: owner.scope, name: owner.name, value: next })
  putMiddlewareState(home, owner, next)
}

/** Puts a state in its place in the turn that it belongs to. */
export function putMiddlewareState(home: TurnState, owner: Middleware, next: unknown): void {
  if (owner.scope === 'turn') home.hookData.setState(owner.name, next)
  else if (owner.scope === 'branch') {
    const { branch } = home
    branch.setState({ ...branch.state, [owner.name]: next })
    // A handle that is forked from here on has it too.
    if (branch.tip?.turnId === home.id) branch.tip.state = branch.state
  } else home.conversation.states.set(owner.name, next)
}
