import type { Role } from '../../core/base/message.ts'
import { block, replace, stop } from '../../core/directives/directives.ts'
import { type Middleware, middleware } from '../../core/hooks/middleware.ts'
import type { Shape } from '../check-options.ts'
import * as is from '../kinds.ts'
import { cleanResult } from './clean-result.ts'
import { Cleaner } from './cleaner.ts'
import type { Detector } from './detect.ts'
import { list } from './list.ts'
import { stream } from './stream.ts'
import { type Style, styleOf } from './style.ts'
import { isTainted, taint, tainted } from './tainted.ts'

/** The places in which a redaction looks. */
export interface Places {
  /** The person's messages. On by default. */
  readonly input?: boolean
  /** The model's replies, before anyone sees them. On by default. */
  readonly output?: boolean
  /** The results of tools. On by default. */
  readonly results?: boolean
}

export const places = (): Shape<Places> => ({ input: is.flag, output: is.flag, results: is.flag })

export interface Redaction extends Places {
  readonly name: string
  /** 1000 by default: behind what others put in. */
  readonly priority?: number
  readonly detectors: readonly Detector[]
  readonly style: Style | 'block'
  /** The rule for calls with a find in their arguments. Those are never rewritten: a tool runs with what was asked, or not at all. */
  readonly calls: 'pass' | 'block'
}

/**
 * Two middleware. `NAME` cleans what goes into the record: messages and results. It comes after all other before hooks,
 * so it sees what they made, and before all other after hooks, so they see what it leaves. `NAME.stream` is a guard on
 * the deltas and comes last of all. Both fail closed: when a detector throws, nothing is shown and nothing recorded.
 */
export function redaction(options: Redaction): Middleware[] {
  return [record(options), stream(options)]
}

function record(options: Redaction): Middleware {
  const { name, priority = 1000, detectors, style, calls, input = true, output = true, results = true } = options
  const blocks = style === 'block'
  const clean = new Cleaner(detectors, blocks ? styleOf('redact') : style)
  const roles: Readonly<Record<Role, boolean>> = { user: input, assistant: output, tool: results, system: false }
  return middleware<readonly string[]>({
    name,
    priority,
    onFailure: 'closed',
    // The calls of ready replies that carried a find: those of a stream are the guard's.
    state: [],
    beforeInput(ctx) {
      if (!input) return
      const { value, kinds } = clean.message(ctx.message)
      if (kinds.length && blocks) return block(`The message contains ${list(kinds)}.`)
      if (kinds.length) ctx.message = value
    },
    beforeAppend(ctx) {
      if (!roles[ctx.message.role]) return
      const { value, kinds } = clean.message(ctx.message)
      if (kinds.length) ctx.message = value
    },
    afterModel(ctx) {
      if (!output || !ctx.result) return
      const { value, kinds } = clean.message(ctx.result)
      if (kinds.length && blocks) return stop(`The reply contains ${list(kinds)}.`)
      const { value: reply, found } = calls === 'block' ? clean.calls(value) : { value, found: [] }
      if (found.length) ctx.update(before => [...before, ...found.map(id => taint(ctx.turn, id))])
      if (reply !== ctx.result) return replace(reply)
    },
    ...(calls === 'pass'
      ? {}
      : { beforeTool: ({ turn, call, state }) => (isTainted(state, turn, call) ? block(tainted()) : undefined) }),
    afterTool({ result }) {
      const kept = results && result ? cleanResult(clean, result, blocks) : result
      return kept === result ? undefined : replace(kept)
    },
  })
}
