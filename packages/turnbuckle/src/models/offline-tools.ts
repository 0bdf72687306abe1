import { skip } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { ToolContext as CallContext } from '../core/tools/run-tool.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { calculate } from './expression.ts'

const object = (properties: object, ...required: string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

// Made when they are asked for: a bundler leaves out what nobody asks for.

const calculator = (): Tool =>
  tool({
    name: 'calculate',
    description: 'Works out arithmetic: + - * / % ^, brackets, sqrt(2), pi.',
    schema: object({ expression: { type: 'string' } }, 'expression'),
    idempotent: true,
    readOnly: true,
    run: ({ expression }) => calculate(String(expression)),
  })

const longestWait = 600

const wait = (): Tool =>
  tool({
    name: 'wait',
    description: 'Waits a number of seconds, telling how far it is. At most ten minutes.',
    schema: object({ seconds: { type: 'number', minimum: 0, maximum: longestWait } }, 'seconds'),
    idempotent: true,
    readOnly: true,
    async run({ seconds }, ctx) {
      const total = Number(seconds)
      if (!(total >= 0 && total <= longestWait)) throw new Error(`Wait between 0 and ${longestWait} seconds.`)
      const { clock } = CallContext.turnOf(ctx).time
      for (let waited = 0; waited < total; waited = Math.min(total, waited + 1)) {
        ctx.signal.throwIfAborted()
        await clock.sleep(Math.min(1, total - waited) * 1000)
        ctx.emit({ type: 'tool.progress', callId: ctx.call.id, done: Math.min(total, waited + 1), total })
      }
      return `Waited ${total} seconds.`
    },
  })

const failing = (): Tool =>
  tool({
    name: 'fail',
    description: 'Fails, to show what happens then.',
    schema: object({ message: { type: 'string' } }),
    readOnly: true,
    run({ message }) {
      throw new Error(typeof message === 'string' ? message : 'This tool fails on purpose.')
    },
  })

const ask = (): Tool =>
  tool({
    name: 'ask',
    description: 'Asks the person a question and gives the answer.',
    schema: object({ question: { type: 'string' } }),
    readOnly: true,
    run() {
      throw new Error('Nobody can be asked here: the hooks are switched off.')
    },
  })

/** The answer may be text, or `{ text }`. */
interface Answer {
  readonly text?: string
}
const nobody: Answer = {}
function check(answer: unknown): void {
  const text = typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : answer
  if (typeof text !== 'string') throw new Error('Expected text, or { text }.')
}

/** The options of `offlineTools`. */
export interface OfflineToolsOptions {
  /** Keeps the tools from other models that a hook, or a person while the program runs, has chosen. */
  readonly onlyOffline?: boolean
}

/**
 * The tools that `offline()` knows besides those of a workspace: calculate, wait, fail and ask. A middleware, because
 * asking a person is a hook's business: the question is a `clarification` request, answered with text or `{ text }`.
 */
export function offlineTools({ onlyOffline = false }: OfflineToolsOptions = {}): Middleware {
  const provides = [calculator(), wait(), failing(), ask()]
  const names = new Set(provides.map(({ name }) => name))
  return middleware({
    name: 'offline-tools',
    description: 'Gives the offline model its tools: calculate, wait, fail and ask.',
    provides,
    tools: ['ask'],
    beforeModel({ prompt, agent }) {
      if (onlyOffline && (prompt.model ?? agent.model).id !== 'offline')
        prompt.tools = prompt.tools.filter(({ name }) => !names.has(name))
    },
    async beforeTool(ctx) {
      const { question = 'What is your favourite colour?' } = (ctx.call.args ?? {}) as { question?: string }
      const answer = await ctx.ask<Answer | string>('clarification', { question }, { check, fallback: nobody })
      const text = typeof answer === 'string' ? answer : answer.text
      return skip(text ?? { status: 'timeout', value: 'Nobody answered.' })
    },
  })
}
