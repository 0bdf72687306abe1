import type { Message, ResultPart } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { type CountTokens, estimateTokens } from '../core/model/estimate-tokens.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { PerPrefix } from './per-prefix.ts'

/** The options of `clearToolResults`. */
export interface ClearToolResultsOptions {
  /** The newest results that stay. 3 by default. */
  readonly keep?: number
  /** Results are cleared only while the prompt has more tokens than this. 50,000 by default. */
  readonly over?: number
  /** Tools whose results always stay. */
  readonly except?: readonly string[]
  /** The text in place of a cleared result. */
  readonly placeholder?: string
  /** Counts the tokens of a message; an estimate by default. */
  readonly count?: CountTokens
}

const shape = (): Shape<ClearToolResultsOptions> => ({
  keep: is.number(0),
  over: is.number(0),
  except: is.list(is.text),
  placeholder: is.text,
  count: is.run,
})

/**
 * Empties old tool results in what a model call sends, once that grows large. The calls and the result's status stay,
 * so the history holds; the record is untouched. Not a guard; when it fails, its model call fails.
 *
 * ```ts
 * createAgent({ model, tools, use: [clearToolResults({ keep: 5, except: ['plan'] })] })
 * ```
 */
export function clearToolResults(options: ClearToolResultsOptions = {}): Middleware {
  checkOptions('clearToolResults', options, shape)
  const { keep = 3, over = 50_000, except = [], placeholder = '[old result cleared]', count = estimateTokens } = options
  /** The cleared form of each message: one object each, so that what other hooks cache by message stays valid. */
  const cleared = new WeakMap<Message, Message>()
  const isLong = (part: ResultPart) =>
    !except.includes(part.name) && (typeof part.value !== 'string' || part.value.length > placeholder.length)
  const clear = (message: Message): Message => {
    const known = cleared.get(message)
    if (known) return known
    const content = message.content.map(part =>
      part.type === 'result' && isLong(part) ? { ...part, value: placeholder } : part,
    )
    const empty = { ...message, content }
    cleared.set(message, empty)
    return empty
  }
  const tokens = new PerPrefix<number>((before = 0, message) => before + count(message))
  const emptied = new PerPrefix<Message>((_, message) => (message.role === 'tool' ? clear(message) : message))
  return middleware({
    name: 'clear-tool-results',
    description: 'Leaves old results of tools out of the prompt.',
    beforeModel(ctx) {
      ctx.prompt = changedPrompt(ctx.prompt, {}, (messages, tip) => {
        if ((tokens.of(ctx.conversation, messages, tip).at(-1) ?? 0) <= over) return messages
        const end = newestFrom(messages, keep)
        return emptied.of(ctx.conversation, messages, tip).slice(0, end).concat(messages.slice(end))
      })
    },
  })
}

/** The index at which the newest `keep` results begin. */
function newestFrom(messages: readonly Message[], keep: number): number {
  let left = keep
  let end = messages.length
  while (end > 0 && (messages[end - 1]?.role !== 'tool' || left-- > 0)) end--
  return end
}
