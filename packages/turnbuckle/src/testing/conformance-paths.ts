import { Conversation as ConversationHandle } from '../core/agent/conversation.ts'
import type { Message } from '../core/base/message.ts'
import { rewind, skip } from '../core/directives/directives.ts'
import type { Definition } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { BuiltIn } from '../core/hooks/stage-fields.ts'
import { ToolContext as CallContext } from '../core/tools/run-tool.ts'
import { tool } from '../core/tools/tool.ts'
import type { Turn } from '../core/types/turn.ts'
import {
  type CreateAgent,
  callsThenText,
  intercepting,
  observing,
  type Program,
  program,
  streamed,
  unwound,
} from './conformance-program.ts'
import { hooksOf } from './recorder.ts'

/** The course of a path, and the number of times each stage must have occurred. */
export interface Walked {
  readonly program: Program
  readonly messages: readonly Message[]
  /** Occurrences, where the whole course is known. */
  readonly counts?: Readonly<Record<string, number>>
  /** The stage's one occurrence that did not end as `done`. */
  readonly ends?: { readonly stage: string; readonly status: 'skipped' | 'failed' | 'interrupted' }
  /** Stages of which only the after hooks are called: the provider had run those calls itself. */
  readonly afterOnly?: readonly string[]
}

export interface Path {
  readonly name: string
  /** Undefined: for every stage. */
  readonly stages?: readonly string[]
  walk(createAgent: CreateAgent, stage: string): Promise<Walked>
}

const once = {
  turn: 1,
  input: 1,
  step: 2,
  model: 2,
  detect: 2,
  append: 5,
  tools: 1,
  tool: 2,
  decide: 2,
  generate: 1,
} satisfies Readonly<Record<BuiltIn, number>>
const twice = { ...once, step: 3, model: 3, detect: 3, append: 9, tools: 2, tool: 4, decide: 3 }
export const stages: readonly string[] = Object.keys(once)
const skippable = stages.filter(stage => stage !== 'append')

const simple = (name: string, make: typeof callsThenText, more: Partial<Walked> = {}): Path => ({
  name,
  async walk(createAgent) {
    const made = program(createAgent, { model: make() })
    const { messages } = await made.agent.send('Go.').settled
    return { program: made, messages, counts: once, ...more }
  },
})

const forked: Path = {
  name: 'forked',
  async walk(createAgent) {
    const made = program(createAgent)
    const chat = made.agent.conversation()
    const { messages } = await chat.send('Go.').settled
    // Right at the calls: their results are made up on the new branch.
    const fork = chat.fork(messages[1]?.id)
    made.outer.clear()
    made.inner.clear()
    await fork.send('Go another way.').settled
    return { program: made, messages: fork.messages, counts: once }
  },
}

const rewound: Path = {
  name: 'rewound',
  async walk(createAgent) {
    const steer = middleware({
      name: 'steer',
      state: { rewound: false },
      afterDecide(ctx) {
        if (ctx.state.rewound) return
        ctx.update(() => ({ rewound: true }))
        return rewind(0, 'Once more.')
      },
    })
    const made = program(createAgent, { steer })
    const { messages } = await made.agent.send('Go.').settled
    // The appends of the way back are the message, and what the second way records.
    return { program: made, messages, counts: twice }
  },
}

const subAgent: Path = {
  name: 'sub-agent',
  async walk(createAgent) {
    const child = program(createAgent)
    let below: Turn | undefined
    const delegate = tool({
      name: 'delegate',
      async run(_args, ctx) {
        below = ConversationHandle.sendFor(CallContext.turnOf(ctx), child.agent.conversation(), 'Go.', {})
        return (await below).text
      },
    })
    const model = scriptedDelegation()
    await program(createAgent, { model, tools: [delegate] }).agent.send('Delegate.').settled
    const messages = (await below?.settled)?.messages ?? []
    return { program: child, messages, counts: once }
  },
}

const scriptedDelegation: typeof callsThenText = () => ({
  id: 'delegating',
  async *stream({ messages }) {
    if (messages.at(-1)?.role === 'user') yield { type: 'call', id: 'd', name: 'delegate', args: {} }
    else yield { type: 'text', text: 'Delegated.' }
  },
})

/** A hook at one stage that acts at its first occurrence. */
function atFirst(hook: string, act: (ctx: { readonly turn: Turn }, next: () => unknown) => unknown): Middleware {
  let acted = false
  const hooks: Record<string, unknown> = {
    [hook]: (ctx: { readonly turn: Turn }, next: () => unknown) => {
      if (acted) return next?.()
      acted = true
      return act(ctx, next)
    },
  }
  return middleware({ name: 'steer', ...hooks } as Definition<undefined>)
}

const steered = (
  name: 'skipped' | 'failed' | 'interrupted',
  point: 0 | 1,
  act: Parameters<typeof atFirst>[1],
): Path => ({
  name,
  stages: name === 'skipped' ? skippable : stages,
  async walk(createAgent, stage) {
    const made = program(createAgent, { steer: atFirst(hooksOf(stage)[point], act) })
    const turn = made.agent.send('Go.')
    await unwound(turn, made)
    return { program: made, messages: (await turn.settled).messages, ends: { stage, status: name } }
  },
})

/** Every way through the loop. */
export const paths: readonly Path[] = [
  simple('plain', callsThenText),
  simple('streaming', streamed),
  steered('skipped', 0, () => skip()),
  steered('failed', 1, () => {
    throw new Error('broken on purpose')
  }),
  steered('interrupted', 1, ({ turn }, next) => {
    turn.interrupt()
    return next()
  }),
  forked,
  rewound,
  simple('managed, intercepting', intercepting),
  simple('managed, observing', observing, { afterOnly: ['tools', 'tool'] }),
  subAgent,
]
