import { demand, interrupted } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { asMessage, type Message, type Part } from '../base/message.ts'
import type { Chunk, Prompt } from '../base/ports.ts'
import { untilDurable } from '../durable/until-durable.ts'
import { pathOf, seal } from '../history/tree.ts'
import type { Journal } from '../types/journal.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { freshPrompt, isPath, ownInstructions } from './build-prompt.ts'
import { CallMeter } from './call-meter.ts'
import { openStream } from './managed-loop.ts'
import { ModelAttempt } from './model-attempt.ts'
import { readStream } from './read-stream.ts'
import { traceExchange } from './trace-exchange.ts'
import { announceCall } from './usage.ts'

export type Stream = AsyncIterable<Chunk | readonly Chunk[]>

/** Calls the model for the turn, unless the log has its reply. Each call is an attempt of its own. `own`: a stage's stream in place of the model's. */
export function callModel(frame: StageFrame, given: Prompt, own?: Stream): Maybe<Message> {
  const { turn } = frame
  const { step, journal } = turn
  turn.calls.offer(given.tools === turn.agent.specs ? undefined : given.tools)
  const known = turn.replay.reply(step.index)
  if (known) {
    step.closeAttempt(known.usage, known.finishReason)
    step.useKnown(known.message)
    frame.meter = new CallMeter(turn, known.usage)
    return seal(known.message)
  }
  step.dropAttempt('another attempt began')
  const attempt = new ModelAttempt(turn, turn.ids.message(), false)
  step.beginAttempt(attempt)
  if (frame.hooks.wraps.length) frame.meter = attempt.meter
  const prompt = frame.hooks.wraps.length ? freshPrompt(given) : given
  return journal ? readOnLog(frame, journal, prompt, attempt, own) : read(frame, prompt, attempt, own)
}

/** Opens the model's stream, or takes the stage's own, and reads it; where the turn is traced, what was sent and came back is kept. */
function read(frame: StageFrame, prompt: Prompt, attempt: ModelAttempt, own: Stream | undefined): Promise<Message> {
  const { turn, cancel } = frame
  const traced = own ? undefined : traceExchange(frame, prompt.model ?? turn.agent.model(), prompt)
  const reply = readStream(frame, own ?? openStream(turn, prompt, cancel, traced?.onRequest), attempt)
  return traced ? traced.until(reply, attempt) : reply
}

/** Opens the stream once the log has the prompt and all that led to it. */
async function readOnLog(
  frame: StageFrame,
  journal: Journal,
  prompt: Prompt,
  attempt: ModelAttempt,
  own: Stream | undefined,
): Promise<Message> {
  await keepPrompt(frame, journal, prompt, attempt)
  return read(frame, prompt, attempt, own)
}

async function keepPrompt(frame: StageFrame, journal: Journal, prompt: Prompt, attempt: ModelAttempt): Promise<void> {
  const { turn } = frame
  const { tip } = turn.branch
  const path = isPath(prompt, tip) ? undefined : pathOf(tip)
  announceCall(turn)
  journal.prompt(turn.id, attempt, prompt, { path, instructions: ownInstructions(prompt) ?? turn.agent.instructions })
  await untilDurable(frame, journal)
  // An interrupt ends every wait, but not one that is just over.
  if (turn.interrupted) throw interrupted()
}

/** A reply that a hook gave: text or a message. */
export function readReply(value: unknown, { turn }: StageFrame): Message {
  const ready = asMessage(value || [], 'assistant', turn.ids.message())
  demand(
    ready.role === 'assistant',
    'reply.invalid',
    `A ready reply is text or an assistant's message; this one is a message of role "${ready.role}".`,
  )
  // A reply out of a cache has the id it had then, and so have its calls.
  const id = ready.id === turn.step.attempt?.id ? ready.id : readyReplyId(turn)
  return { ...ready, id, content: withOwnIds(turn, ready.content) }
}

/** A ready reply counts as an attempt of its step. */
function readyReplyId(turn: TurnState): string {
  const messageId = turn.ids.message()
  const { index, lastAttempt } = turn.step
  turn.journal?.note(turn.id, { note: 'attempt', messageId, step: index, attempt: lastAttempt })
  return messageId
}

/** Calls with ids that no call of the conversation has, and their results with them. */
function withOwnIds({ ids }: TurnState, content: readonly Part[]): readonly Part[] {
  const given = new Map<string, string>()
  const parts: Part[] = []
  for (const part of content) {
    if (part.type === 'call') given.set(part.id, ids.call(part.id, parts))
    const id = part.type === 'call' || part.type === 'result' ? (given.get(part.id) ?? part.id) : undefined
    parts.push(id === undefined ? part : ({ ...part, id } as Part))
  }
  return parts
}

/** Keeps a message as the reply of the step. */
export function keepReply({ step, calls }: TurnState, reply: Message): void {
  if (step.attempt && step.attempt.id !== reply.id) step.dropAttempt('another reply was used')
  calls.setCut(step.draft.finishReason === 'length' ? lastCall(reply) : undefined)
  step.setReply(reply)
}

/** The id of the call that a reply ends with, if it was cut there: a reply that got too long can only be torn at its end. */
function lastCall({ content, interrupted }: Message): string | undefined {
  const last = content.at(-1)
  return interrupted && last?.type === 'call' ? last.id : undefined
}
