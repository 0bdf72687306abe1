import type { Usage } from '../base/ports.ts'
import { minus, plus, uncounted, usageFields } from '../base/usage-sums.ts'
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
  if (counted) return
  if (turn.parent) addUsage(turn, uncounted(1))
  else turn.spent.countUnknownCall()
}

/** An error that a provider has answered a request with, by its HTTP status. */
export function isRefusal(error: unknown): boolean {
  const { status, statusCode } = (error ?? {}) as { readonly status?: unknown; readonly statusCode?: unknown }
  return Number(status ?? statusCode) >= 400
}

/** After a question the log says when a model call begins, so that a turn that was left at its question is known to have lost none. */
export function announceCall({ topmost }: TurnState): void {
  if (topmost.people.asked) topmost.journal?.note(topmost.id, { note: 'calling' })
}

/** The valid parts of a reported usage; undefined where the model has told nothing: some servers report zeros. */
export function readUsage(reported: Usage): Usage | undefined {
  const inputTokens = amount(reported.inputTokens) ?? 0
  const outputTokens = amount(reported.outputTokens) ?? 0
  const cost = amount(reported.cost)
  if (!inputTokens && !outputTokens && !cost) return undefined
  const { cost: _, ...tokens } = usageFields(reported)
  return { ...tokens, inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }
}

/** Whether both counts of a reported usage can be used: a negative one, NaN, or two zeros make no limit trip. */
export const isCounted = ({ inputTokens, outputTokens }: Usage): boolean =>
  amount(inputTokens) !== undefined && amount(outputTokens) !== undefined && inputTokens + outputTokens > 0

const amount = (value: number | undefined): number | undefined => {
  const number = Number(value ?? Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : undefined
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
export const usedBy = ({ spent }: TurnState): Usage =>
  spent.unbilled ? plus(spent.usage, uncounted(spent.unbilled)) : spent.usage
