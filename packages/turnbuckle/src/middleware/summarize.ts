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

/** The options of `summarize`. */
export interface SummarizeOptions {
  /** Writes the summary; a small one will do. */
  readonly model: Model
  /** Summarise once the messages have more tokens. 50,000 by default. */
  readonly over?: number
  /** The newest messages that stay as they are; more where a call and its results would be torn apart. 10 by default. */
  readonly keep?: number
  /** Instructions for the summary: what it should hold. */
  readonly instructions?: string
  /** Counts the tokens of a message; an estimate by default. */
  readonly count?: CountTokens
}

interface Summary {
  readonly text: string
  /** The number of messages of the path that the summary stands for, and the id of the last of them. */
  readonly covers: number
  readonly until: string | undefined
  /** The length of the path when a summary was asked for last, and failures in a row since one was written. */
  readonly asked?: number
  readonly failures?: number
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
 * System messages, the question of the running turn and what people said since always go out. Not a guard, and fails open: without a summary the messages go out as they are, so put
 * `trim` behind it; the model is asked again only when more has come, each time twice as much.
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
    description: 'Puts a summary in the place of old messages.',
    state: none,
    scope: 'branch',
    onFailure: 'open',
    async beforeModel(ctx) {
      let summary = standing(ctx)
      const { messages } = ctx.prompt
      const end = summary.covers + cut(messages.slice(summary.covers), keep)
      const due = end > summary.covers && isDue(summary, messages, over, count)
      try {
        if (due) summary = await write(ctx, model, instructions, summary, end)
      } catch (error) {
        summary = { ...summary, asked: messages.length, failures: (summary.failures ?? 0) + 1 }
        throw error
      } finally {
        if (due) ctx.update(() => summary)
        if (summary.covers) ctx.prompt = changedPrompt(ctx.prompt, {}, all => shortened(all, summary, question(ctx)))
      }
    },
  })
}

/** True when more has come than fits since a summary was written; after a failure, when twice as many messages have come as the time before. */
function isDue(
  { covers, asked = 0, failures = 0 }: Summary,
  messages: readonly Message[],
  over: number,
  count: CountTokens,
): boolean {
  if (failures && messages.length < asked + 2 ** failures) return false
  const from = failures ? covers : Math.max(covers, asked)
  return messages.slice(from).reduce((total, message) => total + count(message), 0) > over
}

/** The id of the message that the running turn answers. */
const question = ({ draft }: Ctx): string | undefined => draft.userMessage?.id

/** True where the messages that the summary stands for are still the first ones. */
const stands = ({ covers, until }: Summary, messages: readonly Message[]): boolean => messages[covers - 1]?.id === until

/** The summary, unless the path it stands for is another one by now. */
const standing = ({ state, prompt }: Ctx): Summary => (state.covers && !stands(state, prompt.messages) ? none : state)

/**
 * System messages, the summary, what people have said in the running turn where the summary stands for that, and the rest. A hook behind
 * this one may still edit the history.
 */
function shortened(messages: readonly Message[], summary: Summary, asked: string | undefined): readonly Message[] {
  if (!stands(summary, messages)) return messages
  const covered = messages.slice(0, summary.covers)
  const system = covered.filter(({ role }) => role === 'system')
  const question = covered.findLastIndex(({ id }) => id === asked)
  const said = question < 0 ? [] : covered.slice(question).filter(({ role, by }) => role === 'user' && !by)
  return [...system, asMessage(summary), ...said, ...messages.slice(summary.covers)]
}

/** The number of messages that may go: all but the newest, and no call without its results. */
function cut(messages: readonly Message[], keep: number): number {
  let end = Math.max(0, messages.length - keep)
  while (end > 0 && messages[end]?.role === 'tool') end--
  return end
}

async function write(ctx: Ctx, model: Model, instructions: string, before: Summary, end: number): Promise<Summary> {
  const { messages } = ctx.prompt
  const covered = messages.slice(before.covers, end)
  const text = [before.text && `Summary so far:\n${before.text}`, ...covered.map(asText)].filter(Boolean).join('\n\n')
  const written = await ctx.generate(model, { instructions, messages: [userMessage('to-summarise', text)] })
  if (!written.text.trim()) throw new Error('The summary is empty.')
  return { text: written.text.trim(), covers: end, until: messages[end - 1]?.id, asked: messages.length }
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
