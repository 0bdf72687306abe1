import type { Message } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { type CountTokens, estimateTokens } from '../core/model/estimate-tokens.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { PerPrefix } from './per-prefix.ts'

/** The options of `trim`. */
export interface TrimOptions {
  /** At most so many messages. No limit by default. */
  readonly maxMessages?: number
  /** At most so many tokens. 100,000 by default when `maxMessages` is not given either. */
  readonly maxTokens?: number
  /** Messages at the beginning that always stay, with the results of their calls. 0 by default. */
  readonly keepFirst?: number
  /** Counts the tokens of a message; an estimate by default. */
  readonly count?: CountTokens
}

const shape = (): Shape<TrimOptions> => ({
  maxMessages: is.number(0),
  maxTokens: is.number(0),
  keepFirst: is.number(0),
  count: is.run,
})

/** The most times that a model call is made again with half of the messages, after the model refused them as too long. */
const halvings = 3

/**
 * Leaves the oldest messages out of what a model call sends. System messages stay. A call and its results stay or go together, the first
 * message left is a person's, and the newest exchange always stays, whatever its size. The record is untouched.
 * A call that fails because the context is too long all the same (`model.overflow`) is made again with half of it,
 * three times at most. Not a guard; when it fails, its model call fails.
 *
 * ```ts
 * createAgent({ model, use: [trim({ maxTokens: 50_000 })] })
 * ```
 */
export function trim(options: TrimOptions = {}): Middleware {
  checkOptions('trim', options, shape)
  const { maxMessages = Infinity, keepFirst = 0, count = estimateTokens } = options
  const maxTokens = options.maxTokens ?? (options.maxMessages === undefined ? 100_000 : Infinity)
  const sum = (before: Sum | undefined, message: Message, index: number): Sum => ({
    tokens: (before?.tokens ?? 0) + count(message),
    system: (before?.system ?? 0) + (message.role === 'system' ? count(message) : 0),
    systems: (before?.systems ?? 0) + (message.role === 'system' ? 1 : 0),
    person: message.role === 'user' ? index : before?.person,
  })
  const sums = new PerPrefix<Sum>(sum)
  const shortened = (messages: readonly Message[], so: readonly Sum[], tokens: number, asked: string | undefined) => {
    const first = untilWhole(messages, keepFirst)
    const room = { messages: maxMessages - first, tokens: tokens - (so[first - 1]?.tokens ?? 0) }
    const start = newest(messages, so, first, room)
    if (start <= first) return messages
    const kept = [...messages.slice(0, first), ...opened(messages, so, { first, start, asked })]
    return so[start - 1]?.systems ? withSystem(messages, kept) : kept
  }
  return middleware({
    name: 'trim',
    description: 'Leaves old messages out of a prompt that is too long.',
    // Without a limit only a refused call is shortened.
    ...(maxMessages === Infinity && maxTokens === Infinity
      ? {}
      : {
          beforeModel(ctx) {
            const asked = ctx.draft.userMessage?.id
            ctx.prompt = changedPrompt(ctx.prompt, {}, (messages, tip) =>
              shortened(messages, sums.of(ctx.conversation, messages, tip), maxTokens, asked),
            )
          },
        }),
    wrapModel(ctx, next) {
      const asked = ctx.draft.userMessage?.id
      const halve = async (messages: readonly Message[], error: unknown, round: number): Promise<Message> => {
        if (!overflows(error) || round > halvings) throw error
        const so: Sum[] = []
        for (const [i, message] of messages.entries()) so.push(sum(so.at(-1), message, i))
        const half = shortened(messages, so, (so.at(-1)?.tokens ?? 0) / 2, asked)
        if (half.length >= messages.length) throw error
        ctx.emit({ type: 'prompt.halved', from: messages.length, to: half.length })
        return next({ ...ctx.prompt, messages: half }).catch(error => halve(half, error, round + 1))
      }
      return next().catch(error => halve(ctx.prompt.messages, error, 1))
    },
  })
}

const overflows = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'model.overflow'

/** Sums over the path up to a message. */
interface Sum {
  readonly tokens: number
  /** Of system messages, which always stay: their tokens, and how many there are. */
  readonly system: number
  readonly systems: number
  /** The index of the newest message of a person. */
  readonly person: number | undefined
}

const nothing: Sum = { tokens: 0, system: 0, systems: 0, person: undefined }

/** The messages that are kept, and every system message, in the order of the path. */
function withSystem(messages: readonly Message[], kept: readonly Message[]): readonly Message[] {
  const stays = new Set(kept)
  return messages.filter(message => message.role === 'system' || stays.has(message))
}

/** The end of a stretch of `length`, moved on past the results of its last calls. */
function untilWhole(messages: readonly Message[], length: number): number {
  let end = Math.min(length, messages.length)
  while (end > 0 && messages[end]?.role === 'tool') end++
  return end
}

/** The index at which the newest messages that fit begin. The last exchange always fits. */
function newest(
  messages: readonly Message[],
  sums: readonly Sum[],
  first: number,
  room: { readonly messages: number; readonly tokens: number },
): number {
  const all = sums.at(-1)?.tokens ?? 0
  const kept = sums[first - 1] ?? nothing
  const fits = (i: number) => {
    const left = sums[i - 1] ?? nothing
    const tokens = all - left.tokens + left.system - kept.system
    return tokens <= room.tokens && messages.length - i + left.systems - kept.systems <= room.messages
  }
  let [low, high] = [first, messages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  let start = low
  while (messages[start]?.role === 'tool') start++
  if (start < messages.length) return start
  start = messages.length - 1
  while (start > first && messages[start]?.role === 'tool') start--
  return start < first || messages[start]?.role === 'tool' ? messages.length : start
}

/** Begins with a person's message: the first one among those that fit, or else the one this turn answers. */
function opened(
  messages: readonly Message[],
  sums: readonly Sum[],
  { first, start, asked }: { readonly first: number; readonly start: number; readonly asked: string | undefined },
): readonly Message[] {
  const last = sums.at(-1)?.person
  if (last === undefined) return messages.slice(start)
  for (let i = start; i <= last; i++) if (messages[i]?.role === 'user') return messages.slice(i)
  const place =
    asked === undefined || messages[last]?.id === asked ? last : messages.findLastIndex(({ id }) => id === asked)
  const question = messages[place]
  return question && place >= first ? [question, ...messages.slice(start)] : messages.slice(start)
}
