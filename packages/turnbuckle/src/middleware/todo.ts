import { TurnbuckleError } from '../core/base/errors.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { checkOptions, type Shape } from './check-options.ts'
import { instructed } from './instructed.ts'
import * as is from './kinds.ts'

/** An item of the list that the model keeps. */
export interface TodoItem {
  /** The item in words. */
  readonly text: string
  /** How far the item is. */
  readonly status: 'open' | 'doing' | 'done'
}

/** The options of `todo`. */
export interface TodoOptions {
  /** The tool that writes the list. `todo` by default. */
  readonly toolName?: string
  /** At most so many items. 50 by default. */
  readonly max?: number
}

const shape = (): Shape<TodoOptions> => ({ toolName: is.text, max: is.number(1) })

/**
 * A to-do list that the model writes and sees again in each call, so that a long task keeps its thread. It lives with
 * the branch: a fork has its own, a rewind brings the old one back. Each change is told as `todo.changed { items }`.
 * Not a guard.
 *
 * ```ts
 * createAgent({ model, tools, use: [todo()] })
 * ```
 */
export function todo(options: TodoOptions = {}): Middleware {
  checkOptions('todo', options, shape)
  const { toolName = 'todo', max = 50 } = options
  return middleware<{ readonly items: readonly TodoItem[] }>({
    name: 'todo',
    description: 'Gives the model a list of what there is to do.',
    state: { items: [] },
    scope: 'branch',
    tools: [toolName],
    provides: [writer(toolName, max)],
    afterTool(ctx) {
      if (ctx.result?.status !== 'ok') return
      const items = parse(ctx.call.args, max)
      ctx.update(() => ({ items }))
      ctx.emit({ type: 'todo.changed', items })
    },
    beforeModel(ctx) {
      const { items } = ctx.state
      if (items.length) ctx.prompt = instructed(ctx.prompt, `Your to-do list:\n${items.map(line).join('\n')}`)
    },
  })
}

const marks = { open: '[ ]', doing: '[>]', done: '[x]' } as const
const line = ({ text, status }: TodoItem): string => `${marks[status]} ${text}`

const writer = (name: string, max: number): Tool =>
  tool({
    name,
    description:
      'Writes your to-do list for a task of several steps. Give the whole list each time; keep one item "doing".',
    idempotent: true,
    readOnly: true,
    sequential: true,
    schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          maxItems: max,
          items: {
            type: 'object',
            properties: { text: { type: 'string' }, status: { type: 'string', enum: Object.keys(marks) } },
            required: ['text', 'status'],
          },
        },
      },
      required: ['items'],
    },
    run(args) {
      const items = parse(args, max)
      return `${items.filter(({ status }) => status === 'done').length} of ${items.length} done.`
    },
  })

function parse(args: unknown, max: number): TodoItem[] {
  const { items } = (args ?? {}) as { items?: unknown }
  if (!Array.isArray(items)) throw refused('Give { items: [{ text, status }] }.')
  if (items.length > max) throw refused(`At most ${max} items.`)
  return items.map((item: Partial<TodoItem> | null) => {
    const { text, status } = item ?? {}
    if (typeof text !== 'string' || !status || !(status in marks))
      throw refused('Each item needs a text and a status: open, doing or done.')
    return { text, status }
  })
}

const refused = (why: string): TurnbuckleError => new TurnbuckleError('todo.invalid', why, { kind: 'validation' })
