import type { Usage } from '../base/ports.ts'
import { minus, plus, uncounted } from '../base/usage-sums.ts'
import type { TurnState } from '../types/turn-state.ts'

/** A model call begins. Until it has said what it used, nobody knows what the turn costs. */
export function beginCall(turn: TurnState): void {
  // A process may have ended in the middle of this very call, which is then paid for twice.
  const lost = turn.replay.mayRepeatCall
  for (let at: TurnState | undefined = turn; at; at = at.parent) {
    at.spent.bill(lost ? 2 : 1)
    if (lost) at.journal?.note(at.id, { note: 'lost' })
  }
}

export function endCall(turn: TurnState, counted: boolean): void {
  for (let at: TurnState | undefined = turn; at; at = at.parent) at.spent.bill(-1)
  if (!counted) forgetCost(turn)
}

/** An error that a provider has answered a request with, by its HTTP status. */
export function isRefusal(error: unknown): boolean {
  const { status, statusCode } = (error ?? {}) as { readonly status?: unknown; readonly statusCode?: unknown }
  return Number(status ?? statusCode) >= 400
}

function forgetCost(turn: TurnState): void {
  if (turn.spent.usage.cost !== undefined) addUsage(turn, uncounted)
}

/** A turn and its usage so far. */
interface Used {
  readonly id: string
  readonly usage: Usage
}

/** Counts for the turn and for all above it. `of`: the sub-agent's turn that has used it, and all it has used. */
export function addUsage(turn: TurnState, usage: Usage, of?: Used): void {
  const total = plus(turn.spent.usage, usage)
  turn.spent.setUsage(total)
  if (of && !turn.over) turn.journal?.note(turn.id, { note: 'spent', turnId: of.id, usage: of.usage, total })
  if (turn.parent) addUsage(turn.parent, usage, { id: turn.id, usage: total })
}

/** Adds the usage of a resumed sub-agent's turn, less what the log says was counted before the process ended. */
export function catchUpUsage(turn: TurnState, of: Used): void {
  const counted = turn.replay.spent(of.id)
  addUsage(turn, counted ? minus(of.usage, counted) : of.usage, of)
}

/** The usage of a turn that ends now. Its cost is unknown while model calls are under way. */
export const usedBy = ({ spent }: TurnState): Usage => (spent.unbilled ? plus(spent.usage, uncounted) : spent.usage)
