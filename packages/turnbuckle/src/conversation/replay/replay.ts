import { AgentCore } from '../../core/agent/agent-core.ts'
import { Conversation as ConversationHandle } from '../../core/agent/conversation.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Message } from '../../core/base/message.ts'
import type { Decision } from '../../core/directives/directives.ts'
import { eventOf } from '../../core/durable/event-records.ts'
import type { Event } from '../../core/events/events.ts'
import { type Middleware, middleware, type Use } from '../../core/hooks/middleware.ts'
import { pipeline } from '../../core/stages/pipeline.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { TurnResult } from '../../core/types/turn.ts'
import { type ConversationStore, storeOf } from '../stores/create-store.ts'
import type { LogRecord } from '../stores/driver.ts'
import type { PromptFingerprint } from './prompt-fingerprint.ts'
import { type Divergence, type Recorded, RecordedTurn } from './recorded-turn.ts'

/** The options of `replay`. */
export interface ReplayOptions {
  /** The middleware to try, in place of what there was. */
  readonly use: readonly Use[]
  /** Other instructions than the agent had. */
  readonly instructions?: string
}

/** A decision that was made only then, or only now. */
export interface Difference extends Decision {
  /** `then`: in the recorded turn alone. `now`: in the replay alone. */
  readonly when: 'then' | 'now'
}

/** The result of `replay`: the turn that was replayed, and how its decisions differ from the recorded ones. */
export interface Replayed {
  /** `different`: a decision differs, whatever came of it. `diverged`: the record no longer applies, though none does. */
  readonly outcome: 'same' | 'different' | 'diverged'
  /** Decisions that were made only then, or only now. */
  readonly differences: readonly Difference[]
  /** The first place at which the record no longer applies. */
  readonly divergence?: Divergence | undefined
  /** The turn's result with this middleware, as far as the record goes. */
  readonly result: TurnResult
}

/** The place of a recorded turn: a conversation that has a store, or the store. */
type Where = ConversationStore | Conversation

const isConversation = (where: Where): where is Conversation => where instanceof ConversationHandle

/**
 * Runs other middleware over a recorded turn. Replies and results come from the record while prompt and arguments are
 * as they were; neither the model nor a tool is ever called, and nothing is written.
 *
 * ```ts
 * const { outcome, differences, divergence } = await replay(chat, turn, { use: [approval()] })
 * ```
 */
export async function replay(
  where: Where,
  turn: string | { readonly id: string; readonly conversation?: string },
  options: ReplayOptions,
): Promise<Replayed> {
  const id = typeof turn === 'string' ? turn : turn.id
  const store = isConversation(where) ? keptIn(where) : where
  const within = isConversation(where) ? where.id : typeof turn === 'string' ? undefined : turn.conversation
  const [row] = await store.turns({ id, ...(within === undefined ? {} : { conversation: within }) })
  if (!row) throw new TurnbuckleError('turn.missing', `There is no turn "${id}" here.`)
  if (row.status === 'open') throw new TurnbuckleError('turn.open', `The turn "${id}" has not ended yet.`)
  const { conversation } = row
  const records = await store.driver.records(conversation, { turn: id })
  const decisions = await store.decisions(conversation, id)
  const recording = new RecordedTurn({ ...read(records, conversation), decisions })
  const before = recording.parent === undefined ? [] : await store.path(conversation, recording.parent)
  const history = before.map(({ message }) => message)
  const { result, now } = await run(recording, history, id, options)
  const differences = compare(decisions, now)
  const { divergence } = recording
  const outcome = differences.length ? 'different' : divergence ? 'diverged' : 'same'
  return { outcome, differences, divergence, result }
}

function keptIn(conversation: Conversation): ConversationStore {
  const logged = ConversationHandle.sharedOf(conversation).journal?.logged
  const store = logged && storeOf(logged)
  if (store) return store
  throw new TurnbuckleError('replay.store', 'Only what was recorded can be replayed: give the agent a store.')
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

async function run(recording: RecordedTurn, history: readonly Message[], turnId: string, options: ReplayOptions) {
  const { use, instructions = '' } = options
  const core = new AgentCore({
    model: recording.model(history, instructions),
    tools: recording.tools(),
    use: [...use, recordedOnly(recording, history, instructions)],
    instructions,
    pipeline: pipeline(),
    ids: { next: kind => (kind === 'turn' ? turnId : `${turnId}.${kind}`) },
  })
  const conversation = core.conversation({ messages: history }, 0)
  const turn = conversation.send(recording.message)
  recording.person = turn
  recording.begin()
  conversation.subscribe((event: Event) => {
    if (event.type !== 'request.opened') return
    const answer = recording.answer(event.requestId, event.kind)
    if (answer) conversation.answer(event.requestId, answer.decision, { by: answer.by, owner: answer.by })
  })
  return { result: await turn.settled, now: turn.explain() }
}

/** Runs innermost (last priority): whichever model the other hooks choose, the record replies. */
const recordedOnly = (recording: RecordedTurn, history: readonly Message[], instructions: string): Middleware =>
  middleware({
    name: 'replay',
    priority: Number.MAX_SAFE_INTEGER,
    wrapModel: ({ prompt }, next) =>
      next(prompt.model && { ...prompt, model: recording.model(history, instructions, prompt.model.id) }),
    wrapGenerate: () => recording.generated(),
  })

const key = ({ directive, by, at, step, callId, reason }: Decision): string =>
  JSON.stringify([directive, by, at, step, callId, reason])

function compare(then: readonly Decision[], now: readonly Decision[]): Difference[] {
  const [old, fresh] = [new Set(then.map(key)), new Set(now.map(key))]
  return [
    ...then.filter(decision => !fresh.has(key(decision))).map(decision => ({ ...decision, when: 'then' as const })),
    ...now.filter(decision => !old.has(key(decision))).map(decision => ({ ...decision, when: 'now' as const })),
  ]
}
