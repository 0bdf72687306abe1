import { messageOf } from '../core/base/errors.ts'
import type { Event } from '../core/events/events.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Span } from '../core/hooks/span.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The levels of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
type Fields = Readonly<Record<string, unknown>>

/** Any logger with these methods, `console` too; or one function. */
export type Logger =
  | { readonly [Level in LogLevel]: (message: string, fields: Fields) => void }
  | ((level: LogLevel, message: string, fields: Fields) => void)

/** The options of `logging`. */
export interface LoggingOptions {
  /** `console` by default. */
  readonly logger?: Logger
  /** The least level that is logged. `info` by default; `debug` tells every stage and hook. */
  readonly level?: LogLevel
  /** Logs arguments, results and answers too. No by default: they may be private. */
  readonly content?: boolean
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const shape = (): Shape<LoggingOptions> => ({
  logger: is.either(is.run, is.port('debug', 'info', 'warn', 'error')),
  level: is.oneOf(...levels),
  content: is.flag,
})

/**
 * Logs turns, model calls and tools with their times; what was stopped or failed as `warn` and `error`. With `debug`
 * every stage and hook. Not a guard, and fails open: a logger that throws does not stop anything.
 *
 * ```ts
 * createAgent({ model, use: [logging({ logger: (level, message, fields) => pino[level](fields, message) })] })
 * ```
 */
export function logging(options: LoggingOptions = {}): Middleware {
  checkOptions('logging', options, shape)
  const { logger = console, level = 'info', content = false } = options
  const silent = levels.slice(0, levels.indexOf(level))
  const write = (at: LogLevel, message: string, fields: Fields) => {
    if (silent.includes(at)) return
    if (typeof logger === 'function') logger(at, message, fields)
    else logger[at](message, fields)
  }
  return middleware({
    name: 'logging',
    description: 'Logs what a turn does.',
    priority: 0,
    onFailure: 'open',
    wrapModel(ctx, next) {
      const from = ctx.clock.now()
      const about = () => ({ turnId: ctx.turn.id, step: ctx.step, ms: ctx.clock.now() - from })
      return next().then(
        reply => {
          write('info', 'model replied', { ...about(), ...ctx.draft.usage, finish: ctx.draft.finishReason })
          return reply
        },
        error => {
          write('error', 'model failed', { ...about(), error: messageOf(error) })
          throw error
        },
      )
    },
    onEvent(event, ctx) {
      const line = lineFor(event, ctx, content)
      if (line) write(...line)
    },
    ...(level === 'debug' ? { onTrace: (span: Span) => write('debug', spanName(span), spanFields(span)) } : {}),
  })
}

type Line = [level: LogLevel, message: string, fields: Fields]

function lineFor(event: Event, ctx: Context, content: boolean): Line | undefined {
  const { turnId } = event
  switch (event.type) {
    case 'turn.completed':
    case 'turn.interrupted':
    case 'turn.stopped':
    case 'turn.failed': {
      const { outcome, reason, by, usage, text, error } = event
      const fields = { turnId, ms: ctx.clock.elapsed(), reason, by, ...usage, ...(content ? { text } : {}) }
      return [severity[outcome], `turn ${outcome}`, error === undefined ? fields : { ...fields, error }]
    }
    case 'tool.completed':
    case 'tool.failed': {
      const { callId, name, status, durationMs, result } = event
      const fields = { turnId, callId, ms: durationMs, ...(content ? { result } : {}) }
      return [status === 'ok' ? 'info' : 'warn', `tool ${name} ${status}`, fields]
    }
    case 'tool.executing':
      return ['debug', `tool ${event.name}`, { turnId, callId: event.callId, ...(content ? { args: event.args } : {}) }]
    case 'request.opened':
      return ['info', `asked a person: ${event.kind}`, { turnId, requestId: event.requestId }]
    case 'hook.failed':
      return ['warn', `hook ${event.point} of ${event.name} failed`, { turnId, error: event.error }]
    default:
      return undefined
  }
}

const severity = { completed: 'info', interrupted: 'info', stopped: 'warn', failed: 'error' } as const

const spanName = ({ kind, stage, at, by }: Span): string =>
  kind === 'stage' ? `stage ${stage}` : `hook ${at} of ${by}`
const spanFields = ({ turnId, step, callId, durationMs, status, directive, reason, error }: Span): Fields => ({
  turnId,
  step,
  ms: durationMs,
  ...(callId === undefined ? {} : { callId }),
  ...(status === undefined ? {} : { status }),
  ...(directive === undefined ? {} : { directive, reason }),
  ...(error === undefined ? {} : { error }),
})
