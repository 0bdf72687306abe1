import { homeOf } from '../../core/hooks/middleware-state.ts'
import type { Middleware } from '../../core/types/middleware.ts'
import type { TurnState } from '../../core/types/turn-state.ts'

/** The guards whose state is this turn's own, and not of a turn above it: its sub-agents share it. */
export const sharedGuards = (turn: TurnState): readonly Middleware[] =>
  turn.hooks.owners.filter(owner => isShared(owner) && homeOf(turn, owner) === turn)

export const isShared = ({ guard, state }: Middleware): boolean => guard && state !== undefined
