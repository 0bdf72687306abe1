import { middlewareState } from '../hooks/middleware-state.ts'
import type { TurnResult } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'

type HookValues = Pick<TurnResult, 'states' | 'shared'>

const noValues: Readonly<Record<string, unknown>> = Object.freeze({})

/** The states and shared values of a turn's hooks, as they are now. Every value is frozen already. */
export function hookValues(turn: TurnState): HookValues {
  const { shared } = turn.hookData
  return { states: statesOf(turn), shared: shared ? Object.freeze(Object.fromEntries(shared)) : noValues }
}

function statesOf(turn: TurnState): HookValues['states'] {
  const { hooks } = turn
  if (hooks.empty) return noValues
  const states = hooks.owners.map(owner => [owner.name, middlewareState(turn, owner)] as const)
  return Object.freeze(Object.fromEntries(states.filter(([, state]) => state !== undefined)))
}
