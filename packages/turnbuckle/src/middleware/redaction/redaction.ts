import type { Role } from '../../core/base/message.ts'
import { block, replace, stop } from '../../core/directives/directives.ts'
import { type Middleware, middleware } from '../../core/hooks/middleware.ts'
import { cleanResult } from './clean-result.ts'
import { Cleaner } from './cleaner.ts'
import { list } from './list.ts'
import type { Redaction } from './places.ts'
import { stream } from './stream.ts'
import { styleOf } from './style.ts'
import { isTainted, taint, tainted } from './tainted.ts'

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
    description: options.description,
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
