import type { Message } from '../core/base/message.ts'
import { namingFiles } from '../core/base/naming-files.ts'
import type { Model } from '../core/base/ports.ts'
import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { type CountTokens, estimateTokens } from '../core/model/estimate-tokens.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { userMessage } from './user-message.ts'

export interface SummarizeOptions {
  /** Writes the summary; a small one will do. */
  readonly model: Model
  /** Summarise once the messages have more tokens. 50,000 by default. */
  readonly over?: number
  /** The newest messages that stay as they are; more where a call and its results would be torn apart. 10 by default. */
  readonly keep?: number
  /** Instructions for the summary: what it should hold. */
  readonly instructions?: string
  readonly count?: CountTokens
}

interface Summary {
  readonly text: string
  /** The number of messages of the path that the summary stands for, and the id of the last of them. */
  readonly covers: number
  readonly until: string | undefined
}

type Ctx = BeforeContext<'model', Summary>

const none: Summary = { text: '', covers: 0, until: undefined }
const task =
  'Summarise this conversation for the assistant that goes on with it. Keep facts, names, numbers, decisions, open ' +
  'questions and what the person asked for. Leave out greetings and repetition. Answer with the summary alone.'

const shape = (): Shape<SummarizeOptions> => ({
  model: is.needed(is.model),
  over: is.number(0),
  keep: is.number(0),
  instructions: is.text,
  count: is.run,
})

/**
 * Replaces the older messages by a summary in what a model call sends, once they grow large. The summary is kept with
 * the branch and carried on, so the model is asked again only when as much has come since. The record is untouched.
 * Not a guard, and fails open: without a summary the messages go out as they are, so put `trim` behind it.
 *
 * ```ts
 * createAgent({ model, use: [summarize({ model: small, over: 30_000 }), trim()] })
 * ```
 */
export function summarize(options: SummarizeOptions): Middleware {
  checkOptions('summarize', options, shape)
  const { model, over = 50_000, keep = 10, instructions = task, count = estimateTokens } = options
  return middleware<Summary>({
    name: 'summarize',
    state: none,
    scope: 'branch',
    onFailure: 'open',
    async beforeModel(ctx) {
      let summary = standing(ctx)
      const { messages } = ctx.prompt
      const rest = messages.slice(summary.covers)
      const size = rest.reduce((total, message) => total + count(message), 0)
      const end = summary.covers + cut(rest, keep)
      if (size > over && end > summary.covers) {
        const text = await write(ctx, model, instructions, summary, messages.slice(summary.covers, end))
        summary = { text, covers: end, until: messages[end - 1]?.id }
        ctx.update(() => summary)
      }
      if (summary.covers) ctx.prompt = changedPrompt(ctx.prompt, {}, all => shortened(all, summary))
    },
  })
}

/** True where the messages that the summary stands for are still the first ones. */
const stands = ({ covers, until }: Summary, messages: readonly Message[]): boolean => messages[covers - 1]?.id === until

/** The summary, unless the path it stands for is another one by now. */
const standing = ({ state, prompt }: Ctx): Summary => (state.covers && !stands(state, prompt.messages) ? none : state)

/** A hook behind this one may still edit the history. */
const shortened = (messages: readonly Message[], summary: Summary): readonly Message[] =>
  stands(summary, messages) ? [asMessage(summary), ...messages.slice(summary.covers)] : messages

/** The number of messages that may go: all but the newest, and no call without its results. */
function cut(messages: readonly Message[], keep: number): number {
  let end = Math.max(0, messages.length - keep)
  while (end > 0 && messages[end]?.role === 'tool') end--
  return end
}

async function write(
  ctx: Ctx,
  model: Model,
  instructions: string,
  before: Summary,
  messages: readonly Message[],
): Promise<string> {
  const text = [before.text && `Summary so far:\n${before.text}`, ...messages.map(asText)].filter(Boolean).join('\n\n')
  const written = await ctx.generate(model, { instructions, messages: [userMessage('to-summarise', text)] })
  if (!written.text.trim()) throw new Error('The summary is empty.')
  return written.text.trim()
}

function asText(message: Message): string {
  const lines = message.content.map(part => {
    if (part.type === 'call') return `[calls ${part.name} ${JSON.stringify(part.args)}]`
    if (part.type === 'result') return `[${part.name}: ${part.status}] ${shown(part.value)}`
    return part.type === 'text' ? part.text : ''
  })
  return `${message.role}: ${lines.filter(Boolean).join('\n')}`
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, namingFiles) ?? '')).slice(0, 2000)

const asMessage = ({ text, until }: Summary): Message => ({
  ...userMessage(`summary.${until}`, `Summary of the conversation so far:\n${text}`),
  by: 'summarize',
})
