import { textOf } from '../core/base/message.ts'
import type { Model, Prompt, ToolSpec } from '../core/base/ports.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { userMessage } from './user-message.ts'

/** The options of `toolSelect`. */
export interface ToolSelectOptions {
  /** Picks; a small one will do. */
  readonly model: Model
  /** At most so many tools are offered, those in `always` not counted. 10 by default. With no more than that it is not asked. */
  readonly max?: number
  /** Tools that are always offered. */
  readonly always?: readonly string[]
}

const shape = (): Shape<ToolSelectOptions> => ({
  model: is.needed(is.model),
  max: is.number(1),
  always: is.list(is.text),
})

/**
 * Lets a small model pick the tools that the large one is shown, once a turn. A tool that was not picked cannot be
 * called. Not a guard, and fails open: when the small model fails, or names no tool, all are offered.
 *
 * ```ts
 * createAgent({ model, tools: hundred, use: [toolSelect({ model: small, max: 8, always: ['search'] })] })
 * ```
 */
export function toolSelect(options: ToolSelectOptions): Middleware {
  checkOptions('toolSelect', options, shape)
  const { model, max = 10, always = [] } = options
  return middleware<{ readonly picked: readonly string[] | undefined }>({
    name: 'tool-select',
    description: 'Shows the model only the tools that fit.',
    state: { picked: undefined },
    onFailure: 'open',
    async beforeModel(ctx) {
      const choice = ctx.prompt.tools.filter(({ name }) => !always.includes(name))
      if (choice.length <= max) return
      let { picked } = ctx.state
      if (picked === undefined) {
        const { text } = await ctx.generate(model, question(textOf(ctx.draft.userMessage), choice, max))
        picked = named(text, choice).slice(0, max)
        ctx.update(() => ({ picked }))
      }
      const offered = new Set([...always, ...picked])
      if (picked.length)
        ctx.prompt = changedPrompt(ctx.prompt, { tools: ctx.prompt.tools.filter(({ name }) => offered.has(name)) })
    },
  })
}

const question = (request: string, tools: readonly ToolSpec[], max: number): Partial<Prompt> => ({
  instructions: `Name the tools, at most ${max}, that help most with the request. Answer with their names alone, one a line, the best first.`,
  messages: [userMessage('tool-select', `Request:\n${request}\n\nTools:\n${tools.map(line).join('\n')}`)],
})

const line = ({ name, description }: ToolSpec): string => `- ${name}: ${description}`

/** The tools that an answer names, in its order. */
function named(answer: string, tools: readonly ToolSpec[]): string[] {
  const known = new Set(tools.map(({ name }) => name))
  const words = answer.match(/[\w.:-]+/g) ?? []
  return [...new Set(words.map(word => (known.has(word) ? word : word.replace(/[.:-]+$/, ''))))].filter(word =>
    known.has(word),
  )
}
