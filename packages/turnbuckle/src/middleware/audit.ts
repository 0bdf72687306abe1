import type { Maybe } from '../core/base/maybe.ts'
import type { Event } from '../core/events/events.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** A line of the audit record. Plain data. */
export interface AuditEntry {
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
  /** The conversation of the turn. */
  readonly conversationId: string
  /** The turn that the entry is about. */
  readonly turnId: string
  /** The step, from 0. */
  readonly step: number
  /** `turn.started`, `call.allowed`, `call.ended`, `turn.ended`, or the event it repeats: `request.answered`. */
  readonly type: string
  /** The decider's name: a middleware, a person, a stage, or `model`. */
  readonly by: string
  readonly [detail: string]: unknown
}

/** The port that takes the audit record: it can only append. */
export interface AuditSink {
  /** Writes one entry. Where that fails before a call, the call does not run. */
  append(entry: AuditEntry): Maybe<void>
}

/** The options of `audit`. */
export interface AuditOptions {
  /** Takes the records. */
  readonly sink: AuditSink
  /** Changes an entry before it is written: to leave out arguments, say. */
  readonly entry?: (entry: AuditEntry) => AuditEntry
}

const repeated: readonly string[] = [
  'request.opened',
  'request.answered',
  'request.expired',
  'tool.executing',
  'history.edited',
  'middleware.changed',
  'hook.failed',
]

const shape = (): Shape<AuditOptions> => ({ sink: is.needed(is.port('append')), entry: is.run })

/**
 * Writes down who decided what: turns, questions and answers, which calls were allowed or not and by whom, what came of
 * them, and every directive. That a call is allowed is written before it runs. A guard, behind the others: what cannot
 * be written down does not run. Only the entries that repeat an event are written on the side.
 *
 * ```ts
 * createAgent({ model, tools, use: [approval(), audit({ sink: { append: entry => file.write(JSON.stringify(entry)) } })] })
 * ```
 */
export function audit(options: AuditOptions): Middleware {
  checkOptions('audit', options, shape)
  const { sink, entry = given => given } = options
  const write = (ctx: Context, type: string, by: string, details: object) =>
    sink.append(
      entry({
        at: ctx.clock.now(),
        conversationId: ctx.turn.conversationId,
        turnId: ctx.turn.id,
        step: ctx.step,
        type,
        by,
        ...details,
      }),
    )
  return middleware({
    name: 'audit',
    description: 'Keeps a record of what was decided and done.',
    guard: true,
    priority: 10_000,
    async beforeTurn(ctx) {
      await write(ctx, 'turn.started', 'person', { message: ctx.message.id })
    },
    async beforeTool(ctx) {
      const { id, name, args } = ctx.call
      await write(ctx, 'call.allowed', 'guards', { callId: id, name, args })
    },
    async afterTool(ctx) {
      const { id, name } = ctx.call
      const decided = ctx.turn.explain().findLast(({ callId, won }) => callId === id && won)
      await write(ctx, 'call.ended', decided?.by ?? 'tool', { callId: id, name, status: ctx.result?.status })
    },
    onEvent(event, ctx) {
      if (repeated.includes(event.type)) return write(ctx, event.type, authorOf(event), detailsOf(event))
    },
    async afterTurn(ctx) {
      const { status, reason, by } = ctx.result ?? { status: ctx.status, reason: '', by: 'turn' }
      await write(ctx, 'turn.ended', by, { status, reason, decisions: ctx.turn.explain() })
    },
  })
}

/** A record in memory, for tests. */
export function memoryAudit(): AuditSink & { readonly entries: readonly AuditEntry[] } {
  const entries: AuditEntry[] = []
  return {
    entries,
    append(entry) {
      entries.push(structuredClone(entry))
    },
  }
}

function authorOf(event: Event): string {
  if (event.type === 'history.edited') return event.by
  if (event.type === 'hook.failed' || event.type === 'middleware.changed') return event.name
  if (event.type !== 'request.answered') return 'turn'
  const { by } = (event.decision ?? {}) as { by?: unknown }
  return typeof by === 'string' ? by : 'person'
}

/** The event's own members; who and when are in the entry already. */
function detailsOf(event: Event): object {
  const { type: _, at: __, turnId: ___, conversationId: ____, ...details } = event
  return details
}
