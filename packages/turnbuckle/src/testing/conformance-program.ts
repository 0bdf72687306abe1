import type { AgentOptions } from '../core/agent/agent-options.ts'
import type { Model } from '../core/base/ports.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { tool } from '../core/tools/tool.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Tool } from '../core/types/tool.ts'
import type { Turn } from '../core/types/turn.ts'
import { type Recorder, recorder } from './recorder.ts'
import { scriptedModel } from './scripted-model.ts'

/** A function that makes agents: `createAgent`, or one of yours around it. */
export type CreateAgent = (options: Omit<AgentOptions, 'pipeline'> & { readonly breaker?: boolean }) => AgentHandle

/** Two calls in one batch, then a closing text: every stage of the loop occurs. */
export const callsThenText: () => Model = () =>
  scriptedModel(
    [
      ({ messages }) =>
        messages.at(-1)?.role === 'user'
          ? { text: 'Two at once.', calls: [{ name: 'echo' }, { name: 'echo', args: { again: true } }] }
          : 'Done.',
    ],
    { repeat: true },
  )

/** The model of `callsThenText`, a few characters at a time, also in arrays. */
export const streamed: () => Model = () => {
  const whole = callsThenText()
  return {
    id: 'streamed',
    async *stream(prompt, options) {
      for await (const chunk of whole.stream(prompt, options))
        if ('type' in chunk && chunk.type === 'text') {
          for (const text of chunk.text) yield { type: 'text', text }
          yield [
            { type: 'text', text: ' ' },
            { type: 'text', text: '…' },
          ]
        } else yield chunk
    },
  }
}

/** A model that runs the loop itself, through our tools. */
export const intercepting: () => Model = () => ({
  id: 'intercepting',
  loop: 'intercept',
  async *stream(_prompt, { runTools }) {
    yield { type: 'text', text: 'Two at once.' }
    await runTools?.([
      { id: 'a', name: 'echo', args: {} },
      { id: 'b', name: 'echo', args: { again: true } },
    ])
    yield { type: 'text', text: 'Done.' }
  },
})

/** A model that runs the loop itself, and reports what it did. */
export const observing: () => Model = () => ({
  id: 'observing',
  loop: 'observe',
  async *stream() {
    yield { type: 'call', id: 'a', name: 'theirs', args: {} }
    yield { type: 'call', id: 'b', name: 'theirs', args: {} }
    yield { type: 'result', id: 'a', name: 'theirs', status: 'ok', value: 1 }
    yield { type: 'result', id: 'b', name: 'theirs', status: 'ok', value: 2 }
    yield { type: 'text', text: 'Done.' }
  },
})

/** An agent with a recorder outside and one inside of whatever steers. */
export interface Program {
  readonly agent: AgentHandle
  readonly outer: Recorder
  readonly inner: Recorder
}

export function program(
  createAgent: CreateAgent,
  options: { readonly model?: Model; readonly steer?: Middleware; readonly tools?: readonly Tool[] } = {},
): Program {
  const outer = recorder({ name: 'outer', priority: 0 })
  const inner = recorder({ name: 'inner', priority: 200 })
  const echo = tool({ name: 'echo', run: args => args })
  // A hook's own model call, once a turn: the stage `generate`.
  const judge = middleware({
    name: 'judge',
    state: { asked: false },
    async afterModel(ctx) {
      if (ctx.state.asked || ctx.status !== 'done') return
      ctx.update(() => ({ asked: true }))
      await ctx.generate(scriptedModel(['Fine.']), 'Is it fine?')
    },
  })
  const { model = callsThenText(), steer, tools = [] } = options
  const agent = createAgent({
    model,
    tools: [echo, ...tools],
    use: [outer, judge, ...(steer ? [steer] : []), inner],
    breaker: false,
  })
  return { agent, outer, inner }
}

/** Waits until the turn is over and its after hooks have run too: after an interrupt they run behind the terminal event. */
export async function unwound(turn: Turn, { outer }: Program): Promise<void> {
  await turn.settled
  for (let i = 0; i < 1000 && !outer.calls.some(({ hook }) => hook === 'afterTurn'); i++) await Promise.resolve()
}
