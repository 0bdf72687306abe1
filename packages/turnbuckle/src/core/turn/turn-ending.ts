import type { TurnStatus } from '../agent/turn.ts'
import type { Noted } from '../hooks/directives.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { Run } from './turn-state.ts'

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
export function endByRule(run: Run, reason: string, by: string): void {
  run.decisions.push({ directive: 'stop', by, at: 'step', step: run.step, reason, won: true })
  run.ending = { status: 'stopped', reason, by }
}

/** Ends the turn where the directive says so; false where it goes on. */
export function endBy(run: Run, { directive, decision: { by } }: Noted): boolean {
  const { type, value, say } = directive
  const reason = directive.reason ?? type
  if (type === 'fail') run.ending = { status: 'failed', reason, by, error: value }
  else if (type === 'stop') run.ending = { status: 'stopped', reason, by, say, refused: value === 'refused' }
  else if (type === 'finish') run.ending = { status: 'completed', reason, by }
  else return false
  return true
}

/** Ends the turn by what was noted outside a step, if anything was. */
export function endAsNoted(run: Run): void {
  if (run.ending) return
  const outcome = outcomeOf(run, true)
  run.noted.length = 0
  if (outcome.type === 'directive') outcome.noted.decision.won = true
  if (outcome.type !== 'directive' || !endBy(run, outcome.noted))
    run.ending = { status: 'completed', reason: 'done', by: 'model' }
}
