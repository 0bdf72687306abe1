import { TurnbuckleError } from '../../core/base/errors.ts'
import type { ConversationStore } from '../stores/create-store.ts'
import type { ConversationRow, TurnRow } from '../stores/driver.ts'
import type { Replayed, ReplayedTurn } from './replayed.ts'

/** Conversations that are asked of the store at once: only one page is in memory. */
const pageSize = 50

/** Codes of turns that hold nothing to replay: they are left out, and say why. */
const skipped: readonly string[] = ['turn.open', 'replay.message']

/**
 * Replays turn by turn, newest conversation first, each conversation's turns as they came. Conversations of sub-agents are left out of
 * a store's: their middleware is not the caller's. A turn that fails is told and the next one goes on.
 */
export async function* replayAll(
  store: ConversationStore,
  within: string | undefined,
  replayTurn: (row: TurnRow) => Promise<Replayed>,
): AsyncGenerator<ReplayedTurn> {
  for await (const { id: conversationId, title } of conversations(store, within)) {
    for await (const row of turnsOf(store, conversationId)) {
      const { id: turnId, startedAt } = row
      const about = { conversationId, title, turnId, startedAt }
      if ('error' in row) yield { ...about, outcome: 'failed', error: row.error }
      else yield { ...about, ...(await replayTurn(row).catch(asOutcome)) }
    }
  }
}

async function* conversations(store: ConversationStore, within: string | undefined): AsyncGenerator<ConversationRow> {
  if (within !== undefined) {
    const row = await store.conversation(within)
    if (row) yield row
    return
  }
  let before: ConversationRow | undefined
  do {
    const page: readonly ConversationRow[] = await store.list({ limit: pageSize, before })
    yield* page.filter(({ caller }) => caller === undefined)
    before = page.length === pageSize ? page.at(-1) : undefined
  } while (before)
}

/** A conversation whose turns cannot be read counts as one turn that failed. */
async function* turnsOf(
  store: ConversationStore,
  conversation: string,
): AsyncGenerator<TurnRow & { readonly error?: Error }> {
  try {
    yield* await store.turns({ conversation })
  } catch (error) {
    yield { id: '', conversation, status: 'failed', startedAt: 0, error: asError(error) }
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

function asOutcome(error: unknown) {
  return error instanceof TurnbuckleError && skipped.includes(error.code)
    ? { outcome: 'skipped' as const, reason: error.message }
    : { outcome: 'failed' as const, error: asError(error) }
}
