import { textOf } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import { instructed } from './instructed.ts'
import * as is from './kinds.ts'

/** The options of `analysis`. */
export interface AnalysisOptions {
  /** From so many messages on the model is asked to be concise. 20 by default. */
  readonly after?: number
  /** The text that asks the model to be concise. */
  readonly concise?: string
  /** Occurrences of one message among the newest that count as a repetition. 3 by default. */
  readonly repeats?: number
  /** The text that points the model to what was said already. */
  readonly repetition?: string
  /** The number of newest messages that are compared. 12 by default. */
  readonly window?: number
}

const shape = (): Shape<AnalysisOptions> => ({
  after: is.number(0),
  concise: is.text,
  repeats: is.number(2),
  repetition: is.text,
  window: is.number(1),
})

/**
 * Watches how a conversation goes: a long one gets a word about brevity, one that repeats itself a word about that.
 * Looks at the newest messages only, so a long history costs nothing more. Not a guard; when it fails, its model call fails.
 *
 * ```ts
 * createAgent({ model, use: [analysis({ after: 30 })] })
 * ```
 */
export function analysis(options: AnalysisOptions = {}): Middleware {
  checkOptions('analysis', options, shape)
  const { after = 20, repeats = 3, window = 12 } = options
  const { concise = 'The conversation is long already. Be concise.' } = options
  const {
    repetition = 'The conversation repeats itself. Do not say it again: sum up in a sentence what was said, then say what is new or ask what is missing.',
  } = options
  return middleware({
    name: 'analysis',
    description: 'Watches how a conversation goes, and tells the model to be brief or to change course.',
    beforeModel(ctx) {
      const { messages } = ctx
      const notes = []
      if (messages.length >= after) notes.push(concise)
      const recent = Array.from({ length: Math.min(window, messages.length) }, (_, i) =>
        fingerprint(messages.at(-1 - i)),
      )
      if (isRepetitive(recent, repeats)) notes.push(repetition)
      if (notes.length) ctx.prompt = instructed(ctx.prompt, notes.join('\n'))
    },
  })
}

type Said = Parameters<typeof textOf>[0] & { readonly role: string }

/** Case, spaces and marks do not make a new message. */
function fingerprint(message: Said | undefined): string {
  const words = textOf(message)
    .slice(0, 2000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return words ? `${message?.role}:${words.join(' ')}` : ''
}

function isRepetitive(texts: readonly string[], repeats: number): boolean {
  const counts = new Map<string, number>()
  for (const text of texts) if (text) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts.values()].some(count => count >= repeats)
}
