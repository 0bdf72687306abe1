import type { Usage } from '../base/ports.ts'
import type { Run } from '../turn/turn-state.ts'

/** A cost that is not known on one side is not known of both. */
const combine = (a: Usage, b: Usage, sign: 1 | -1): Usage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  ...(a.cost === undefined || b.cost === undefined ? {} : { cost: a.cost + sign * b.cost }),
})

export const plus = (a: Usage, b: Usage): Usage => combine(a, b, 1)
export const minus = (a: Usage, b: Usage): Usage => combine(a, b, -1)

/** Of a call that did not say what it used. */
export const uncounted: Usage = { inputTokens: 0, outputTokens: 0 }

/** A model call begins. Until it has said what it used, nobody knows what the turn costs. */
export function beginCall(run: Run): void {
  // A process may have ended in the middle of this very call, which is then paid for twice.
  const lost = run.past?.moved === false
  for (let at: Run | undefined = run; at; at = at.parent) {
    at.unbilled += lost ? 2 : 1
    if (lost) at.journal?.note(at.id, { note: 'lost' })
  }
}

export function endCall(run: Run, counted: boolean): void {
  for (let at: Run | undefined = run; at; at = at.parent) at.unbilled--
  if (!counted) forgetCost(run)
}

/** An error that a provider has answered a request with, by its HTTP status. */
export function isRefusal(error: unknown): boolean {
  const { status, statusCode } = (error ?? {}) as { readonly status?: unknown; readonly statusCode?: unknown }
  return Number(status ?? statusCode) >= 400
}

function forgetCost(run: Run): void {
  if (run.usage.cost !== undefined) addUsage(run, uncounted)
}

/** What a turn has used. */
interface Used {
  readonly id: string
  readonly usage: Usage
}

/** Counts for the turn and for all above it. `of`: the sub-agent's turn that has used it, and all it has used. */
export function addUsage(run: Run, usage: Usage, of?: Used): void {
  run.usage = plus(run.usage, usage)
  if (of && !run.over) run.journal?.note(run.id, { note: 'spent', turnId: of.id, usage: of.usage, total: run.usage })
  if (run.parent) addUsage(run.parent, usage, run)
}

/** What a sub-agent's turn had used when the process ended counts here too: that much of it which did not yet. */
export function catchUpUsage(run: Run, of: Used): void {
  const counted = run.past?.spent(of.id)
  addUsage(run, counted ? minus(of.usage, counted) : of.usage, of)
}

/** What a turn has used that ends now, maybe in the middle of calls. */
export const usedBy = ({ usage, unbilled }: Run): Usage => (unbilled ? plus(usage, uncounted) : usage)
