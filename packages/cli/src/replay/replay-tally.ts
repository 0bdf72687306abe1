import type { Usage } from 'turnbuckle'
import type { ReplayedTurn } from 'turnbuckle/stores'

export type ReplayOutcome = ReplayedTurn['outcome']

/** A decision that differs, and in how many turns it does. */
export interface DifferentDecision {
  readonly when: 'then' | 'now'
  readonly directive: string
  readonly by: string
  readonly at: string
  turns: number
}

/** Sums of usage. A cost counts where it is known. */
export interface SummedUsage {
  inputTokens: number
  outputTokens: number
  cost: number
  /** Model calls without a known cost. */
  unknownCalls: number
}

const nothing = (): SummedUsage => ({ inputTokens: 0, outputTokens: 0, cost: 0, unknownCalls: 0 })

/** Counts replayed turns. Keeps no turn, so a store of any size fits. */
export class ReplayTally {
  readonly outcomes: Record<ReplayOutcome, number> = { same: 0, different: 0, diverged: 0, failed: 0, skipped: 0 }
  conversations = 0
  /** Of turns to whose end the record applied: only those can be compared. */
  readonly before: SummedUsage = nothing()
  readonly after: SummedUsage = nothing()
  /** Decisions of the record that no replay can check. */
  unverified = 0
  readonly #decisions = new Map<string, DifferentDecision>()
  #conversation: string | undefined

  add(turn: ReplayedTurn): void {
    this.outcomes[turn.outcome]++
    if (turn.conversationId !== this.#conversation) this.conversations++
    this.#conversation = turn.conversationId
    if (turn.outcome === 'failed' || turn.outcome === 'skipped') return
    this.unverified += turn.unverified.length
    if (!turn.divergence) {
      addTo(this.before, turn.usage.before)
      addTo(this.after, turn.usage.after)
    }
    const seen = new Set<DifferentDecision>()
    for (const { when, directive, by, at } of turn.differences) seen.add(this.#decision({ when, directive, by, at }))
    for (const decision of seen) decision.turns++
  }
  #decision(made: Omit<DifferentDecision, 'turns'>): DifferentDecision {
    const key = JSON.stringify(made)
    const known = this.#decisions.get(key) ?? { ...made, turns: 0 }
    this.#decisions.set(key, known)
    return known
  }

  /** The turns that were replayed. */
  get turns(): number {
    const { same, different, diverged, failed } = this.outcomes
    return same + different + diverged + failed
  }
  /** The most frequent first. */
  get decisions(): readonly DifferentDecision[] {
    return [...this.#decisions.values()].sort((a, b) => b.turns - a.turns)
  }
  /** The worst counts: a turn that could not be replayed, then a difference, then a divergence. */
  get exitCode(): number {
    const { different, diverged, failed } = this.outcomes
    return failed ? exitCodes.failed : different ? exitCodes.different : diverged ? exitCodes.diverged : exitCodes.same
  }
}

/** 1 means a difference, so a turn that cannot be replayed at all ends with 2, as bad usage does. */
export const exitCodes: Readonly<Record<ReplayOutcome, number>> = {
  same: 0,
  different: 1,
  failed: 2,
  diverged: 3,
  skipped: 0,
}

function addTo(sum: SummedUsage, { inputTokens, outputTokens, cost, knownCost = 0, unknownCalls = 1 }: Usage): void {
  sum.inputTokens += inputTokens
  sum.outputTokens += outputTokens
  sum.cost += cost ?? knownCost
  if (cost === undefined) sum.unknownCalls += unknownCalls
}
