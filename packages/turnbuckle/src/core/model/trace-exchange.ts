import { messageOf } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import type { Model, Prompt, StreamOptions } from '../base/ports.ts'
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
  let sent: unknown = prompt
  const keep = (received: unknown, error?: unknown) => {
    const failed = error === undefined ? {} : { error: frame.turn.hooks.clean(messageOf(error)) }
    frame.exchanges = [...(frame.exchanges ?? []), { model: model.id, sent, received, ...failed }]
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
