import { messageOf } from '../../core/base/errors.ts'
import type { ConversationStore } from '../stores/create-store.ts'
import { replay } from './replay.ts'
import type { Replayed, ReplayOptions } from './replayed.ts'

/** The part of a tuner's proposal that a trial looks at. */
interface TriedTurns {
  readonly turns?: readonly { readonly conversationId: string; readonly turnId: string }[]
}

/** What a replay says of a proposal: turns by outcome, or why it cannot tell. */
export type ReplayTrial =
  | {
      readonly verdict: 'tried'
      readonly turns: number
      readonly same: number
      readonly different: number
      readonly diverged: number
    }
  | { readonly verdict: 'unknown'; readonly reason: string }

/** Turns that one trial replays at most. */
const most = 50

/**
 * The trial of `tuner`: replays the turns that a proposal is about. `change` gives the middleware as the proposal would have it, all of
 * it, or nothing where it has none for that proposal.
 *
 * ```ts
 * tuner(propose, { store, trial: replayTrial(store, ({ id }) => (id === 'stops:step-limit' ? { use: [stepLimit(40)] } : undefined)) })
 * ```
 */
export function replayTrial<Proposal extends TriedTurns>(
  store: ConversationStore,
  change: (proposal: Proposal) => ReplayOptions | undefined,
): (proposal: Proposal) => Promise<ReplayTrial> {
  return async proposal => {
    const options = change(proposal)
    if (!options) return { verdict: 'unknown', reason: 'There is no middleware to try for it.' }
    const replayed: Replayed[] = []
    let failure = 'It names no turns.'
    for (const { conversationId, turnId } of (proposal.turns ?? []).slice(-most))
      await replay(store, { id: turnId, conversation: conversationId }, options).then(
        one => replayed.push(one),
        error => {
          failure = messageOf(error)
        },
      )
    return judge(replayed, failure)
  }
}

function judge(replayed: readonly Replayed[], failure: string): ReplayTrial {
  const count = (outcome: Replayed['outcome']) => replayed.filter(one => one.outcome === outcome).length
  const [first] = replayed
  if (!first) return { verdict: 'unknown', reason: `No turn could be replayed. ${failure}` }
  const diverged = count('diverged')
  if (diverged === replayed.length && first.divergence)
    return { verdict: 'unknown', reason: `The record applies to none of the turns: ${first.divergence.reason}.` }
  return { verdict: 'tried', turns: replayed.length, same: count('same'), different: count('different'), diverged }
}
