import type { TurnState } from '../turn/turn-state.ts'
import { type Outcome, resolve } from './directives.ts'

/** What the resolver says now. */
export const outcomeOf = (turn: TurnState, stepCloses: boolean): Outcome =>
  resolve({
    interrupted: turn.interrupted,
    noted: turn.noted,
    stepCloses,
    goesOn: wantsMore(turn) || turn.queue.length > 0,
  })

/** The model asked for tools. */
export const wantsMore = (turn: TurnState): boolean => turn.more ?? turn.draft.calls.length > 0

/** Whether the turn would go on, as things stand. */
export function goesOn(turn: TurnState): boolean {
  const outcome = outcomeOf(turn, true)
  if (outcome.type !== 'directive') return outcome.type === 'continue'
  const { type } = outcome.noted.directive
  return type === 'again' || type === 'goto' || type === 'rewind'
}
