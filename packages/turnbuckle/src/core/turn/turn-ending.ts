import type { TurnStatus } from '../agent/turn.ts'
import type { NotedDirective } from '../hooks/directives.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { TurnState } from './turn-state.ts'

/** How a turn ends. */
export interface Ending {
  readonly status: TurnStatus
  readonly reason: string
  readonly by: string
  readonly error?: unknown
  readonly say?: string | undefined
  /** The user's message was refused: it is not recorded. */
  readonly refused?: boolean
}

/** Ends the turn by a rule of the loop itself. */
export function endByRule(turn: TurnState, reason: string, by: string): void {
  turn.decisions.push({ directive: 'stop', by, at: 'step', step: turn.step, reason, won: true })
  turn.ending = { status: 'stopped', reason, by }
}

/** Ends the turn where the directive says so; false where it goes on. */
export function endBy(turn: TurnState, { directive, decision: { by } }: NotedDirective): boolean {
  const { type, value, say } = directive
  const reason = directive.reason ?? type
  if (type === 'fail') turn.ending = { status: 'failed', reason, by, error: value }
  else if (type === 'stop') turn.ending = { status: 'stopped', reason, by, say, refused: value === 'refused' }
  else if (type === 'finish') turn.ending = { status: 'completed', reason, by }
  else return false
  return true
}

/** Ends the turn by what was noted outside a step, if anything was. */
export function endAsNoted(turn: TurnState): void {
  if (turn.ending) return
  const outcome = outcomeOf(turn, true)
  turn.noted.length = 0
  if (outcome.type === 'directive') outcome.noted.decision.won = true
  if (outcome.type !== 'directive' || !endBy(turn, outcome.noted))
    turn.ending = { status: 'completed', reason: 'done', by: 'model' }
}
