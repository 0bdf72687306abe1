import { chunks, messagesIn } from './script.mjs'

export const name = 'bare loop'

export const load = () => import('./bare-loop.mjs')

/**
 * @typedef {object} Job      what a row asks of every subject
 * @property script           see script.mjs
 * @property tools            [{ name, run(args), input: a zod schema that the arguments are checked with, if any }]
 * @property hooks            functions to be called before each tool
 * @property history          how many messages there are before the turn
 * @property interruptible    whether interrupt() will be called
 *
 * `create(library, job)` gives `send({ onText })`, each call a conversation of its own:
 * `done` resolves to { text }, `interrupt()` asks it to end.
 */
export function create({ bareLoop, interruptibleLoop }, { script, tools, hooks, history = 0, interruptible }) {
  const byName = Object.fromEntries(tools.map(tool => [tool.name, tool]))
  const stream = messages => chunks(script, messagesIn(script, messages))
  const loop = interruptible ? interruptibleLoop : bareLoop

  return {
    send({ onText } = {}) {
      const controller = interruptible ? new AbortController() : undefined
      const messages = past(history)
      messages.push({ role: 'user', content: 'go' })
      const done = loop({ stream, tools: byName, messages, hooks, onText, signal: controller?.signal })
      return { done, interrupt: () => controller.abort() }
    },
  }
}

const past = count =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `message ${i}` }))
