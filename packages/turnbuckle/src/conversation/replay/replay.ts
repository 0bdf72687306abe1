import { Conversation as ConversationHandle } from '../../core/agent/conversation.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import { eventOf } from '../../core/durable/event-records.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import { type ConversationStore, storeOf } from '../stores/create-store.ts'
import type { LogRecord, TurnRow } from '../stores/driver.ts'
import { checkReplayOptions } from './check-replay-options.ts'
import { compareDecisions } from './compare-decisions.ts'
import { compareTexts } from './compare-texts.ts'
import type { PromptFingerprint } from './prompt-fingerprint.ts'
import { type Recorded, RecordedTurn } from './recorded-turn.ts'
import { replayAll } from './replay-all.ts'
import type { Replayed, ReplayedTurn, ReplayOptions } from './replayed.ts'
import { runRecorded } from './run-recorded.ts'

/** The place of recorded turns: a conversation that has a store, or the store. */
type Where = ConversationStore | Conversation

const isConversation = (where: Where): where is Conversation => where instanceof ConversationHandle

/**
 * Runs other middleware over a recorded turn, or over `'all'`. Replies and results come from the record while prompt and arguments are
 * as they were; neither the agent's model nor a tool is ever called, and nothing is written.
 *
 * ```ts
 * const { outcome, differences, texts, divergence } = await replay(chat, turn, { use: [approval()] })
 * for await (const { turnId, outcome } of replay(store, 'all', { use: [approval()] })) console.log(turnId, outcome)
 * ```
 */
export function replay(where: Where, turns: 'all', options: ReplayOptions): AsyncIterable<ReplayedTurn>
export function replay(
  where: Where,
  turn: string | { readonly id: string; readonly conversation?: string },
  options: ReplayOptions,
): Promise<Replayed>
export function replay(
  where: Where,
  turn: string | { readonly id: string; readonly conversation?: string },
  options: ReplayOptions,
): Promise<Replayed> | AsyncIterable<ReplayedTurn> {
  const within = isConversation(where) ? where.id : undefined
  if (turn === 'all') checkReplayOptions(options)
  if (turn === 'all') return replayAll(storeAt(where), within, row => replayTurn(storeAt(where), row, options))
  const { id, conversation = within } = typeof turn === 'string' ? { id: turn } : turn
  return replayNamed(where, id, within ?? conversation, options)
}

async function replayNamed(
  where: Where,
  id: string,
  conversation: string | undefined,
  options: ReplayOptions,
): Promise<Replayed> {
  checkReplayOptions(options)
  const store = storeAt(where)
  const [row] = await store.turns({ id, ...(conversation === undefined ? {} : { conversation }) })
  if (!row) throw new TurnbuckleError('turn.missing', `There is no turn "${id}" here.`)
  return replayTurn(store, row, options)
}

function storeAt(where: Where): ConversationStore {
  if (!isConversation(where)) return where
  const logged = ConversationHandle.coreOf(where).journal?.logged
  const store = logged && storeOf(logged)
  if (store) return store
  throw new TurnbuckleError('replay.store', 'Only what was recorded can be replayed: give the agent a store.')
}

async function replayTurn(store: ConversationStore, row: TurnRow, options: ReplayOptions): Promise<Replayed> {
  const { id, conversation, status } = row
  if (status === 'open') throw new TurnbuckleError('turn.open', `The turn "${id}" has not ended yet.`)
  const records = await store.driver.records(conversation, { turn: id })
  const decisions = await store.decisions(conversation, id)
  const recording = new RecordedTurn({ ...read(records, conversation), decisions })
  const history = recording.parent === undefined ? [] : await store.path(conversation, recording.parent)
  const given = { history, conversationId: conversation, turnId: id, options }
  const { result, now, messages, inUse } = await runRecorded(recording, given)
  const { divergence, divergedAt: until } = recording
  const compared = compareDecisions(decisions, now, { until, inUse })
  const texts = compareTexts(recording.messages, messages, divergence !== undefined)
  const hasDifference = compared.differences.length > 0
  const outcome = hasDifference ? 'different' : divergence ? 'diverged' : texts.length ? 'different' : 'same'
  const usage = { before: recording.usage.total, after: recording.usageNow(result.usage) }
  return { outcome, ...compared, texts, divergence, usage, result }
}

/** A turn's events, and the fingerprints of the prompts that hooks had changed. */
function read(records: readonly LogRecord[], conversation: string): Omit<Recorded, 'decisions'> {
  const events = records.filter(({ seq }) => seq !== undefined)
  const prompts = records.filter(({ type }) => type === 'note.prompt')
  return {
    events: events.map(record => eventOf(record, conversation)),
    prints: new Map(prompts.map(({ body }) => [String(body['messageId']), body as PromptFingerprint])),
  }
}
