import type { TurnState } from '../types/turn-state.ts'
import type { NotedDirective } from './directives.ts'
import { directiveTable } from './directives.ts'

/** The resolver's answer: what the step or the turn does next. */
export type Outcome =
  | { readonly type: 'interrupted' }
  | { readonly type: 'directive'; readonly noted: NotedDirective }
  | { readonly type: 'continue' }
  | { readonly type: 'done' }

export interface Situation {
  readonly interrupted: boolean
  readonly noted: readonly NotedDirective[]
  /** At the end of a step soft directives count as well; in the middle only hard ones do. */
  readonly stepCloses: boolean
  /** The model asked for tools, or a person interjected: there is a reason for another step. */
  readonly goesOn: boolean
}

const interruptedOutcome: Outcome = { type: 'interrupted' }
const continueOutcome: Outcome = { type: 'continue' }
const done: Outcome = { type: 'done' }

/**
 * The one resolver: interrupt > fail > stop > rewind > goto > again > finish > go on > done. Within a rank the first
 * wins, in call order. Pure.
 */
export function resolve({ interrupted, noted, stepCloses, goesOn }: Situation): Outcome {
  if (interrupted) return interruptedOutcome
  let best: NotedDirective | undefined
  let bestRank = Infinity
  for (const candidate of noted) {
    const { rank, hard } = directiveTable[candidate.directive.type]
    if (rank === undefined || rank >= bestRank || !(hard || stepCloses)) continue
    bestRank = rank
    best = candidate
  }
  if (best) return { type: 'directive', noted: best }
  return goesOn ? continueOutcome : done
}

/** Asks the resolver about a turn as it stands. */
export const outcomeOf = (turn: TurnState, stepCloses: boolean): Outcome =>
  resolve({
    interrupted: turn.interrupted,
    noted: turn.steering.noted.list,
    stepCloses,
    goesOn: wantsMore(turn) || turn.people.queue.length > 0,
  })

/** True where another step is wanted: as the `decide` stage has said, or else where the model made calls or stopped in mid-work. */
export const wantsMore = ({ step }: TurnState): boolean =>
  step.wantsMore ?? (step.draft.calls.length > 0 || step.draft.finishReason === 'pause')

/** True where the turn would go on to another step, as things stand. */
export function goesOn(turn: TurnState): boolean {
  const outcome = outcomeOf(turn, true)
  if (outcome.type !== 'directive') return outcome.type === 'continue'
  return directiveTable[outcome.noted.directive.type].ends === undefined
}
