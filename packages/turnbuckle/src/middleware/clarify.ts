import { skip } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { tool } from '../core/tools/tool.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `clarify`. */
export interface ClarifyOptions {
  /** The tool's name. `ask_person` by default. */
  readonly name?: string
  /** Milliseconds until the model is told that nobody answered. By default none where a log keeps the question, five minutes where nothing does. */
  readonly timeout?: number
  /** The answer that the model is told when the time is up. */
  readonly fallback?: string
  /** Questions in one turn; after that the model is told to go on without. 5 by default. */
  readonly max?: number
}

/** The payload of a question to a person; the answer is text, or `{ text }`. */
export interface Clarification {
  /** The call by which the model asked. */
  readonly callId: string
  /** The model's question to the person. */
  readonly question: string
  /** Answers to choose from; any other text is an answer as well. */
  readonly options?: readonly string[]
}

const description =
  'Asks the person you work for a question and returns the answer. Use it only when you cannot go on without knowing.'
const schema = {
  type: 'object',
  properties: {
    question: { type: 'string', description: 'One clear question.' },
    options: { type: 'array', items: { type: 'string' }, description: 'Possible answers, when there are a few.' },
  },
  required: ['question'],
}

const answerSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  ],
}

const shape = (): Shape<ClarifyOptions> => ({
  name: is.text,
  timeout: is.number(0),
  fallback: is.text,
  max: is.number(0),
})

/**
 * Gives the model a tool to ask the person with. The question is a request of the kind `clarification`. No other before
 * hook or guard is asked about it: a question does nothing. Not a guard; when nobody answers, the model goes on.
 *
 * ```ts
 * createAgent({ model, use: [clarify({ timeout: 60_000 })] })
 * ```
 */
export function clarify(options: ClarifyOptions = {}): Middleware {
  checkOptions('clarify', options, shape)
  const { name = 'ask_person', timeout, max = 5 } = options
  const fallback = options.fallback ?? 'Nobody answered. Go on with what you think best, and say what you assumed.'
  const run = () => {
    throw new Error('The middleware "clarify" answers this call; it is switched off.')
  }
  return middleware<number>({
    name: 'clarify',
    description: 'Gives the model a tool to ask a person.',
    priority: 0,
    tools: [name],
    provides: [tool({ name, description, schema, readOnly: true, run })],
    state: 0,
    async beforeTool(ctx) {
      const { question, options: choices } = (ctx.call.args ?? {}) as { question?: unknown; options?: unknown }
      if (typeof question !== 'string' || !question.trim())
        return skip({ status: 'error', value: `${name} needs a question: { "question": "…" }.` })
      if (ctx.state >= max)
        return skip({ status: 'error', value: `You have asked ${max} questions. Go on with what you know.` })
      ctx.update(asked => asked + 1)
      const asked: Clarification = {
        callId: ctx.call.id,
        question,
        ...(isTexts(choices) && choices.length ? { options: choices } : {}),
      }
      const answer = await ctx.ask<Answer>('clarification', asked, {
        schema: answerSchema,
        fallback,
        ...(timeout === undefined ? {} : { timeout }),
      })
      return skip({ status: 'ok', value: typeof answer === 'string' ? answer : answer.text })
    },
  })
}

type Answer = string | { readonly text: string }

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(member => typeof member === 'string')
