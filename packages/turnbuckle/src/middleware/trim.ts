import { type Middleware, middleware } from '../core/hooks.ts'
import type { Message } from '../core/message.ts'
import { changedPrompt } from './changed-prompt.ts'
import { type CountTokens, estimateTokens } from './estimate-tokens.ts'

export interface TrimOptions {
  /** At most so many messages. No limit by default. */
  readonly maxMessages?: number
  /** At most so many tokens. 100,000 by default when `maxMessages` is not given either. */
  readonly maxTokens?: number
  /** Messages at the beginning that always stay, with the results of their calls. 0 by default. */
  readonly keepFirst?: number
  readonly count?: CountTokens
}

/**
 * Leaves the oldest messages out of what a model call sends. A call and its results stay or go together, the first
 * message left is a person's, and the newest exchange always stays, whatever its size. The record is untouched.
 * Not a guard; when it fails, its model call fails.
 *
 * ```ts
 * createAgent({ model, use: [trim({ maxTokens: 50_000 })] })
 * ```
 */
export function trim(options: TrimOptions = {}): Middleware {
  const { maxMessages = Infinity, keepFirst = 0, count = estimateTokens } = options
  const maxTokens = options.maxTokens ?? (options.maxMessages === undefined ? 100_000 : Infinity)
  return middleware({
    name: 'trim',
    beforeModel(ctx) {
      const asked = ctx.draft.userMessage?.id
      ctx.prompt = changedPrompt(ctx.prompt, {}, messages => {
        const first = untilWhole(messages, keepFirst)
        const room = { messages: maxMessages - first, tokens: maxTokens - sum(messages.slice(0, first), count) }
        const start = newest(messages, first, room, count)
        return start <= first ? messages : [...messages.slice(0, first), ...opened(messages, first, start, asked)]
      })
    },
  })
}

/** The end of a stretch of `length`, moved on past the results of its last calls. */
function untilWhole(messages: readonly Message[], length: number): number {
  let end = Math.min(length, messages.length)
  while (end > 0 && messages[end]?.role === 'tool') end++
  return end
}

const sum = (messages: readonly Message[], count: CountTokens): number =>
  messages.reduce((total, message) => total + count(message), 0)

/** Where the newest messages that fit begin. Looks no further back than that. */
function newest(
  messages: readonly Message[],
  first: number,
  room: { readonly messages: number; readonly tokens: number },
  count: CountTokens,
): number {
  let start = messages.length
  let tokens = 0
  for (let i = messages.length - 1; i >= first; i--) {
    const message = messages[i] as Message
    tokens += count(message)
    const fits = tokens <= room.tokens && messages.length - i <= room.messages
    if (!fits && start < messages.length) break
    if (message.role !== 'tool') start = i
  }
  return start
}

/** Begins with a person's message: the first one among those that fit, or else the one this turn answers. */
function opened(
  messages: readonly Message[],
  first: number,
  start: number,
  asked: string | undefined,
): readonly Message[] {
  for (let i = start; i < messages.length; i++) if (messages[i]?.role === 'user') return messages.slice(i)
  const question = messages.findLast(({ id, role }) => (asked === undefined ? role === 'user' : id === asked))
  const isKept = question !== undefined && messages.indexOf(question) < first
  return question && !isKept ? [question, ...messages.slice(start)] : messages.slice(start)
}
