import type { Middleware } from '../../core/types/middleware.ts'
import type { TurnState } from '../../core/types/turn-state.ts'

/** The guards of a turn that its sub-agents share a state with. */
export const sharedGuards = (turn: TurnState): readonly Middleware[] => turn.hooks.owners.filter(isShared)

export const isShared = ({ guard, state }: Middleware): boolean => guard && state !== undefined
