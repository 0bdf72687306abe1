import { createAgent, type Middleware, type Model, middleware, type Tool, type Turn, tool } from 'turnbuckle'
import { type ScriptedModel, type ScriptedReply, scriptedModel } from 'turnbuckle/testing'

/** Hooks whose names or returns are worked out. */
export const hooks = (given: object, name = 'm'): Middleware =>
  middleware({ name, ...given } as Parameters<typeof middleware>[0])

export const echo: Tool = tool({ name: 'echo', run: args => args })
export const calls = (...ids: string[]): ScriptedReply => ({
  calls: ids.map(id => ({ name: 'echo', id, args: { id } })),
})
export const withCalls = (...ids: string[]): ScriptedModel => scriptedModel([calls(...ids), 'Done', 'More'])

/** A turn of an agent that has one tool, which gives back what it gets. */
export const run = (use: readonly Middleware[], model: Model = withCalls('c1'), options: object = {}): Turn =>
  createAgent({ model, tools: [echo], use, ...options }).send('Go')
