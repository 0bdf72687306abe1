import { AgentCore } from '../../core/agent/agent-core.ts'
import { Conversation as ConversationHandle } from '../../core/agent/conversation.ts'
import { messageOf, TurnbuckleError } from '../../core/base/errors.ts'
import type { Message } from '../../core/base/message.ts'
import { type Decision, replace } from '../../core/directives/directives.ts'
import type { Event } from '../../core/events/events.ts'
import { flatUse, type Middleware, middleware } from '../../core/hooks/middleware.ts'
import { pipeline } from '../../core/stages/pipeline.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { Turn, TurnResult } from '../../core/types/turn.ts'
import type { NodeRow } from '../stores/driver.ts'
import { placedMessages } from './placed-messages.ts'
import type { RecordedTurn } from './recorded-turn.ts'
import type { ReplayOptions } from './replayed.ts'
import { type StandInModels, standInAnswer, standInModel, standInPerson } from './stand-ins.ts'

interface Given {
  /** The messages before the turn, root first. */
  readonly history: readonly NodeRow[]
  readonly conversationId: string
  readonly turnId: string
  readonly options: ReplayOptions
}

/** The replayed turn, up to its divergence. */
interface Ran {
  readonly result: TurnResult
  readonly now: readonly Decision[]
  readonly messages: readonly Message[]
  /** The names of its middleware. */
  readonly inUse: ReadonlySet<string>
}

/** Runs the recorded turn with other middleware, in memory. */
export async function runRecorded(recording: RecordedTurn, given: Given): Promise<Ran> {
  const { history, conversationId, turnId, options } = given
  const { message } = recording
  if (!message)
    throw new TurnbuckleError('replay.message', `The message of "${turnId}" was refused, and is not in the record.`)
  const use = flatUse(typeof options.use === 'function' ? await options.use({ conversationId, turnId }) : options.use)
  const inUse = new Set(use.map(({ name }) => name))
  const core = makeAgent(recording, given, use)
  const conversation = core.conversation({ messages: history.map(row => row.message) }, 0)
  restoreState(conversation, history.at(-1))
  const placed = new Map<string, Message>()
  const turn = conversation.send(message)
  let cut: { readonly messages: number; readonly decisions: number } | undefined
  recording.person = turn
  recording.onDivergence = () => {
    cut = { messages: placed.size, decisions: turn.explain().length }
  }
  recording.begin()
  conversation.subscribe((event: Event) => {
    for (const { message } of placedMessages(event)) placed.set(message.id, message)
    if (event.type === 'request.opened') answer(recording, turn, event, options)
  })
  const result = await turn.settled
  if (recording.mistake) throw recording.mistake.error
  const now = turn.explain().slice(0, cut?.decisions)
  const messages = [...placed.values()].slice(0, cut?.messages)
  return { result, now: now.filter(({ by }) => by !== ownName), messages, inUse }
}

/** States of the branch are as the turn found them; those of the conversation begin anew, since the store has only the last. */
function restoreState(conversation: Conversation, last: NodeRow | undefined): void {
  const { head } = ConversationHandle.coreOf(conversation)
  if (head && last?.state) head.state = last.state
}

/** Ends a question as the record has it, or else with a stand-in. */
function answer(
  recording: RecordedTurn,
  turn: Turn,
  { requestId, kind, payload }: Extract<Event, { type: 'request.opened' }>,
  { answers }: ReplayOptions,
): void {
  const end = recording.requestEnd(requestId)
  const choose = () => standInAnswer(answers, { kind, payload, turnId: turn.id })
  const standIn = end ? undefined : recording.choosing(choose)
  if (end?.how === 'expired') turn.expire(requestId)
  else if (end) turn.answer(requestId, end.decision, { by: end.by, owner: end.by })
  else if (standIn === undefined) recording.unanswered(kind)
  else giveStandIn(recording, turn, { requestId, kind, standIn, by: standInPerson(payload) })
}

interface GivenStandIn {
  readonly requestId: string
  readonly kind: string
  readonly standIn: unknown
  /** The person it counts as, who may answer as the conversation's owner may. */
  readonly by: string | undefined
}

function giveStandIn(recording: RecordedTurn, turn: Turn, { requestId, kind, standIn, by }: GivenStandIn): void {
  try {
    turn.answer(requestId, standIn, by === undefined ? {} : { by, owner: by })
  } catch (error) {
    recording.unanswered(kind, `the stand-in's answer is refused: ${messageOf(error)}`)
  }
}

const ownName = 'replay'

function makeAgent(
  recording: RecordedTurn,
  { history, turnId, options }: Given,
  use: readonly Middleware[],
): AgentCore {
  const { instructions = '', models, tools = [] } = options
  const messages = history.map(row => row.message)
  const brought = new Set(use.flatMap(({ provides }) => provides.map(({ name }) => name)))
  const inUse = new Set(use.map(({ name }) => name))
  return new AgentCore({
    model: recording.model(messages, instructions),
    tools: recording.tools(tools, brought),
    use: [
      outermost(recording, inUse),
      ...use.map(owner => withRecordedTools(owner, recording)),
      innermost(recording, messages, instructions, models),
    ],
    instructions,
    pipeline: pipeline(),
    clock: recording.clock,
    ids: { next: kind => (kind === 'turn' ? turnId : `${turnId}.${kind}`) },
  })
}

/** Tools that a middleware brings are not run either. */
const withRecordedTools = (owner: Middleware, recording: RecordedTurn): Middleware =>
  owner.provides.length ? { ...owner, provides: owner.provides.map(tool => recording.recorded(tool)) } : owner

/** First before and last after all others: keeps count of steps, and puts the recorded reply or result where hooks have had it twice. */
const outermost = (recording: RecordedTurn, inUse: ReadonlySet<string>): Middleware =>
  middleware({
    name: ownName,
    priority: Number.NEGATIVE_INFINITY,
    beforeStep(ctx) {
      recording.step = ctx.step
    },
    afterModel() {
      const reply = recording.keptReply(inUse)
      return reply && replace(reply)
    },
    afterTool(ctx) {
      const result = recording.keptResult(ctx.call.id, inUse)
      return result && replace(result)
    },
  })

/** Behind all others: whichever model the other hooks choose, the record replies, or a stand-in. */
const innermost = (
  recording: RecordedTurn,
  history: readonly Message[],
  instructions: string,
  models: StandInModels | undefined,
): Middleware =>
  middleware({
    name: `${ownName}.model`,
    priority: Number.MAX_SAFE_INTEGER,
    wrapModel: ({ prompt }, next) =>
      next(prompt.model && { ...prompt, model: recording.model(history, instructions, prompt.model.id) }),
    wrapGenerate({ prompt }, next) {
      const model = recording.choosing(() => standInModel(models, { model: prompt.model?.id ?? '', prompt }))
      return model ? next({ ...prompt, model }) : recording.generated()
    },
  })
