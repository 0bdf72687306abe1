import { demand } from '../base/errors.ts'
import { asMessage, type Message, type Part } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Prompt } from '../base/ports.ts'
import { onceKept } from '../durable/when-durable.ts'
import type { Frame } from '../hooks/stage-frame.ts'
import type { Run } from '../turn/turn-state.ts'
import { openStream } from './managed-loop.ts'
import { Attempt } from './model-attempt.ts'
import { freshPrompt } from './prompt.ts'
import { consume } from './read-stream.ts'

/** The one place where the model is called for the turn, unless the log has its reply. Each call is an attempt of its own. */
export function callModel(frame: Frame, given: Prompt): Message | Promise<Message> {
  const { run } = frame
  const known = run.past?.reply(run.step)
  if (known) {
    run.draft.usage = known.usage
    run.draft.finishReason = known.finishReason
    return known.message
  }
  run.dropAttempt('another attempt began')
  const attempt = new Attempt(run, run.names.message(), false)
  run.attempt = attempt
  const prompt = frame.chain.wraps.length ? freshPrompt(given) : given
  run.offered = prompt.tools === run.core.specs ? undefined : prompt.tools
  const { journal } = run
  if (!journal) return consume(frame, openStream(run, prompt, frame.cut), attempt)
  journal.prompt(run, attempt.id, prompt)
  return onceKept(frame, journal, () => consume(frame, openStream(run, prompt, frame.cut), attempt))
}

/** A reply that a hook gave: text or a message. */
export function readReply(value: unknown, { run }: Frame): Message {
  const ready = asMessage(value || [], 'assistant', run.names.message())
  demand(
    ready.role === 'assistant',
    'reply.invalid',
    `A ready reply is text or an assistant's message; this one is a message of role "${ready.role}".`,
  )
  // A reply out of a cache has the id it had then, and so have its calls.
  const id = ready.id === run.attempt?.id ? ready.id : run.names.message()
  return { ...ready, id, content: withOwnIds(run, ready.content) }
}

/** Calls with ids that no call of the conversation has, and their results with them. */
function withOwnIds({ names }: Run, content: readonly Part[]): readonly Part[] {
  const given = new Map<string, string>()
  const parts: Part[] = []
  for (const part of content) {
    if (part.type === 'call') given.set(part.id, names.call(part.id, parts))
    const id = part.type === 'call' || part.type === 'result' ? (given.get(part.id) ?? part.id) : undefined
    parts.push(id === undefined ? part : ({ ...part, id } as Part))
  }
  return parts
}

/** This is the reply of the step. */
export function keepReply(run: Run, reply: Message): void {
  if (run.attempt && run.attempt.id !== reply.id) run.dropAttempt('another reply was used')
  run.draft.reply = reply
  run.draft.calls = none
  run.cutCall = run.draft.finishReason === 'length' ? lastCall(reply) : undefined
  run.replyRecorded = false
}

/** Of a reply that ended because it was too long only what it ends with may have been cut. */
function lastCall({ content, interrupted }: Message): string | undefined {
  const last = content.at(-1)
  return interrupted && last?.type === 'call' ? last.id : undefined
}
