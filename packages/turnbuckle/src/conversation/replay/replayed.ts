import type { Maybe } from '../../core/base/maybe.ts'
import type { Usage } from '../../core/base/ports.ts'
import type { Decision } from '../../core/directives/directives.ts'
import type { Use } from '../../core/hooks/middleware.ts'
import type { Tool } from '../../core/types/tool.ts'
import type { TurnResult } from '../../core/types/turn.ts'
import type { Difference } from './compare-decisions.ts'
import type { TextDifference } from './compare-texts.ts'
import type { Divergence } from './recorded-turn.ts'
import type { StandInAnswers, StandInModels } from './stand-ins.ts'

/** A turn that is about to be replayed. */
export interface TurnToReplay {
  /** The id of its conversation. */
  readonly conversationId: string
  /** The id of the turn. */
  readonly turnId: string
}

/** The options of `replay`. */
export interface ReplayOptions {
  /** The middleware to try, in place of what there was. A function makes it anew for each turn, and is told which. */
  readonly use: readonly Use[] | ((turn: TurnToReplay) => Maybe<readonly Use[]>)
  /** The agent's tools, for their descriptions and schemas: hooks may look at them. Never run. */
  readonly tools?: readonly Tool[]
  /** The agent's own. They are not compared. */
  readonly instructions?: string
  /** For questions to people that the record has no answer to. Without one the replay diverges there. */
  readonly answers?: StandInAnswers
  /** For hooks' own model calls (critics, judges), which the record never has. Without one the replay diverges there. */
  readonly models?: StandInModels
}

/** The result of `replay`: how the turn differs from the recorded one. */
export interface Replayed {
  /**
   * `different`: a decision differs, whatever came of it, or a text does though the record applied to the end. `diverged`: no decision
   * differs, but the record no longer applies.
   */
  readonly outcome: 'same' | 'different' | 'diverged'
  /** Decisions up to the divergence that were made only then, or only now. */
  readonly differences: readonly Difference[]
  /** Messages up to the divergence that are not as they were. */
  readonly texts: readonly TextDifference[]
  /** Decisions of then that a replay cannot check: the record does not have what the hook saw. They make no difference. */
  readonly unverified: readonly Decision[]
  /** The first place at which the record no longer applies. */
  readonly divergence?: Divergence | undefined
  /** `after`: with this middleware, stand-in models included. Of a turn that diverged, up to there. */
  readonly usage: { readonly before: Usage; readonly after: Usage }
  /** The turn's result with this middleware, as far as the record goes. */
  readonly result: TurnResult
}

/** A turn of a store, as `replay(store, 'all', …)` gives it. */
export type ReplayedTurn = {
  readonly conversationId: string
  readonly title: string | undefined
  readonly turnId: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
} & (
  | Replayed
  /** The turn could not be read or replayed; the others go on. */
  | { readonly outcome: 'failed'; readonly error: Error }
  /** There is nothing to replay: the turn has not ended, or its message is not in the record. */
  | { readonly outcome: 'skipped'; readonly reason: string }
)
