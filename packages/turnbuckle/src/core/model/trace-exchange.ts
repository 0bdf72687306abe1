import { type Clean, cleanData } from '../base/clean-data.ts'
import { messageOf } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import type { Model, Prompt, StreamOptions } from '../base/ports.ts'
import type { ModelExchange } from '../hooks/span.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { ModelAttempt } from './model-attempt.ts'

/** A model call that is being traced. */
interface TracedExchange {
  readonly onRequest: NonNullable<StreamOptions['onRequest']>
  /** Gives the reply on, and keeps with its stage what was sent and what came back. */
  until(reply: Promise<Message>, attempt: ModelAttempt): Promise<Message>
}

/** Traces one attempt of a stage; `undefined` where nobody looks at the turn's spans. */
export function traceExchange(frame: StageFrame, model: Model, prompt: Prompt): TracedExchange | undefined {
  if (!frame.turn.traced) return undefined
  const { hooks } = frame.turn
  let sent: unknown = prompt
  const keep = (received: unknown, error?: unknown) => {
    const failed = error === undefined ? {} : { error: hooks.clean(messageOf(error)) }
    const exchange = { model: model.id, sent, received, ...failed }
    const kept = hooks.redact ? cleanExchange(exchange, sent === prompt ? prompt : undefined, hooks.redact) : exchange
    frame.exchanges = [...(frame.exchanges ?? []), kept]
  }
  return {
    onRequest: request => {
      sent = request
    },
    async until(reply, attempt) {
      try {
        const message = await reply
        keep(message.content)
        return message
      } catch (error) {
        keep(attempt.text, error)
        throw error
      }
    },
  }
}

/**
 * The exchange without what the redactors take out, cleaned when it is looked at: prompts are large, and most are looked at by nobody.
 * `prompt`: that is what was sent, as far as the model tells.
 */
function cleanExchange(exchange: ModelExchange, prompt: Prompt | undefined, clean: Clean): ModelExchange {
  const { sent, received } = exchange
  return Object.defineProperties(
    { ...exchange },
    {
      sent: readOnce(() => cleanData(prompt ? membersOf(prompt) : sent, clean)),
      received: readOnce(() => cleanData(received, clean)),
    },
  )
}

const membersOf = ({ messages, tools, instructions, params }: Prompt): Prompt => ({
  messages,
  tools,
  instructions,
  params,
})

function readOnce(read: () => unknown): PropertyDescriptor {
  let kept: { readonly value: unknown } | undefined
  const get = () => {
    kept ??= { value: read() }
    return kept.value
  }
  return { get, enumerable: true }
}
