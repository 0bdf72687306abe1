import type { Event, EventType } from '../core/events/events.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { isTrial } from './side-by-side.ts'

/** An event in a line for a person, as `notify` hands it on. */
export interface Notice {
  /** The type of the event. */
  readonly type: EventType
  /** In a line, for a person. */
  readonly text: string
  /** The conversation of the event. */
  readonly conversationId: string
  /** The turn of the event, if any. */
  readonly turnId: string | undefined
  /** The event itself. */
  readonly event: Event
}

/** The options of `notify`. */
export interface NotifyOptions {
  /** The events that are told. By default the end of a turn, and a request to a person. */
  readonly on?: readonly EventType[]
  /** An ending is told only when the turn took so many milliseconds. 0 by default. */
  readonly after?: number
  /** Only needed where an agent has several. `notify` by default. */
  readonly name?: string
}

const usual: readonly EventType[] = [
  'turn.completed',
  'turn.stopped',
  'turn.failed',
  'turn.interrupted',
  'request.opened',
]

const shape = (): Shape<NotifyOptions> => ({ on: is.list(is.text), after: is.number(0), name: is.text })

/**
 * Tells somebody: a chat channel, a desktop, a webhook. It is not waited for. Not a guard, and fails open: what cannot
 * be sent is reported as `hook.failed`.
 *
 * ```ts
 * notify(({ text }) => fetch(webhook, { method: 'POST', body: text }), { on: ['turn.failed', 'request.opened'] })
 * ```
 */
export function notify(send: (notice: Notice) => unknown, options: NotifyOptions = {}): Middleware {
  checkArgument('notify', 'send', send, is.run)
  checkOptions('notify', options, shape)
  const { on = usual, after = 0, name = 'notify' } = options
  const wanted = new Set<string>(on)
  return middleware({
    name,
    description: 'Tells others when a turn ends or waits.',
    onEvent(event, ctx) {
      if (!wanted.has(event.type)) return
      const ends = event.type.startsWith('turn.') && event.type !== 'turn.started'
      if (ends && (ctx.clock.elapsed() < after || isTrial(ctx.turn))) return
      const { type, conversationId, turnId } = event
      return Promise.resolve(send({ type, text: textFor(event), conversationId, turnId, event })).then(() => {})
    },
  })
}

function textFor(event: Event): string {
  switch (event.type) {
    case 'turn.completed':
    case 'turn.stopped':
    case 'turn.failed':
    case 'turn.interrupted': {
      const { outcome, reason, by, text } = event
      const short = text.length > 200 ? `${text.slice(0, 199)}…` : text
      return outcome === 'completed' ? `Done: ${short}` : `The turn ${words[outcome]} (${by}: ${reason})`
    }
    case 'request.opened':
      return `Waiting for you: ${event.kind}`
    default:
      return event.type
  }
}

const words = { stopped: 'was stopped', failed: 'failed', interrupted: 'was interrupted' } as const
