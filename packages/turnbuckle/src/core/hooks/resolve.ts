import type { Run } from '../turn/turn-state.ts'
import { type Outcome, resolve } from './directives.ts'

/** What the resolver says now. */
export const outcomeOf = (run: Run, stepCloses: boolean): Outcome =>
  resolve({
    interrupted: run.interrupted,
    noted: run.noted,
    stepCloses,
    goesOn: wantsMore(run) || run.queue.length > 0,
  })

/** The model asked for tools. */
export const wantsMore = (run: Run): boolean => run.more ?? run.draft.calls.length > 0

/** Whether the turn would go on, as things stand. */
export function goesOn(run: Run): boolean {
  const outcome = outcomeOf(run, true)
  if (outcome.type !== 'directive') return outcome.type === 'continue'
  const { type } = outcome.noted.directive
  return type === 'again' || type === 'goto' || type === 'rewind'
}
