import { Attempt } from '../attempt.ts'
import { demand } from '../errors.ts'
import type { Frame } from '../frame.ts'
import { openStream } from '../managed.ts'
import { asMessage, type Message } from '../message.ts'
import type { Prompt } from '../ports.ts'
import { buildPrompt, catchUp, freshPrompt, madeOf } from '../prompt.ts'
import type { Stage } from '../stage.ts'
import { consume } from '../stream.ts'

/** Streams the reply. Each time a wrap calls `next` is an attempt of its own. */
export const model: Stage = {
  name: 'model',
  light: true,
  description: 'stream the reply',
  longRunning: true,
  input: run => {
    run.steps++
    if (run.past) run.attempts = Math.max(run.attempts, run.past.attempts(run.step))
    return buildPrompt(run)
  },
  current: (run, given, handed) => catchUp(run, madeOf(handed, given) as Prompt),
  check: frame => {
    frame.input = catchUp(frame.run, frame.input as Prompt)
  },
  body(frame, input) {
    const { run } = frame
    const known = run.past?.reply(run.step)
    if (known) {
      run.draft.usage = known.usage
      run.draft.finishReason = known.finishReason
      return known.message
    }
    const attempt = nextAttempt(frame)
    const prompt = frame.chain.wraps.length ? freshPrompt(input as Prompt) : (input as Prompt)
    run.offered = prompt.tools === run.core.specs ? undefined : prompt.tools
    run.journal?.prompt(run, attempt.id, prompt)
    return consume(frame, openStream(run, prompt, frame.cut), attempt)
  },
  read: (value, { run }) => {
    const ready = asReply(asMessage(value || [], 'assistant', run.names.message()))
    // A reply out of a cache has the id it had then.
    return ready.id === run.attempt?.id ? ready : { ...ready, id: run.names.message() }
  },
  show: (draft, reply) => {
    draft.reply = reply as Message
  },
  keep: (run, reply) => {
    if (run.attempt && run.attempt.id !== (reply as Message).id) run.dropAttempt('another reply was used')
    run.draft.reply = reply as Message
    run.draft.calls = []
    run.cutCall = run.draft.finishReason === 'length' ? lastCall(reply as Message) : undefined
    run.replyRecorded = false
  },
}

function asReply(message: Message): Message {
  demand(
    message.role === 'assistant',
    'reply.invalid',
    `A ready reply is text or an assistant's message; this one is a message of role "${message.role}".`,
  )
  return message
}

/** Of a reply that ended because it was too long only what it ends with may have been cut. */
function lastCall({ content, interrupted }: Message): string | undefined {
  const last = content.at(-1)
  return interrupted && last?.type === 'call' ? last.id : undefined
}

function nextAttempt({ run }: Frame): Attempt {
  run.dropAttempt('another attempt began')
  const attempt = new Attempt(run, run.names.message(), false)
  run.attempt = attempt
  return attempt
}
