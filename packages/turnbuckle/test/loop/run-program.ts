import { getEventListeners } from 'node:events'
import {
  again,
  agentTool,
  block,
  type Context,
  createAgent,
  type Event,
  fail,
  finish,
  goto,
  type Message,
  type Middleware,
  type Model,
  middleware,
  type Prompt,
  replace,
  rewind,
  skip,
  stop,
  type Tool,
  type TurnResult,
  tool,
} from 'turnbuckle'
import { type ScriptedStep, scriptedModel, sequentialIds, type VirtualClock, virtualClock } from 'turnbuckle/testing'

import type { Act, HookPlan, OwnerPlan, Program, ReplyPlan } from './random-program.ts'

/** What can be seen of a program that ran. */
export interface Trace {
  readonly result: TurnResult | undefined
  readonly events: readonly Event[]
  readonly log: readonly Event[]
  readonly prompts: readonly Prompt[]
  readonly messages: readonly Message[]
  /** The path to every leaf of the tree, as somebody who goes on from there would get it. */
  readonly branches: readonly (readonly Message[])[]
  readonly timers: number
  readonly listeners: number
}

/** No plain data. */
const odd = { self: [] as unknown[], big: 1n }
odd.self.push(odd)

const tools = (clock: VirtualClock) => [
  tool({ name: 'ok', run: args => args }),
  tool({ name: 'later', run: async () => 'later' }),
  tool({
    name: 'throws',
    run: () => {
      throw new Error('broken')
    },
  }),
  tool({
    name: 'hangs',
    run: (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }),
  tool({ name: 'deaf', run: () => new Promise(() => {}) }),
  tool({ name: 'slow', run: () => new Promise(resolve => clock.after(15, () => resolve('slow'))) }),
  tool({ name: 'alone', sequential: true, run: async () => 'alone' }),
  tool({ name: 'limited', timeout: 10, run: () => new Promise(() => {}) }),
  tool({ name: 'odd', run: () => odd }),
  tool({
    name: 'interjects',
    run: (_args, ctx) => {
      ctx.interject('From a tool.')
      return 'said'
    },
  }),
]

type Any = Context & Record<string, unknown>
type Next = ((input?: unknown) => Promise<unknown>) | undefined

/** What each act returns or does. Whatever it is, the loop must hold. */
const play: Record<Act, (ctx: Any, next: Next) => unknown> = {
  skip: () => skip(),
  skipText: () => skip('skipped'),
  block: () => block('blocked'),
  replace: () => replace('replaced'),
  stop: () => stop('stopped'),
  say: () => stop('stopped', { say: 'Good bye.' }),
  again: () => again('Again.'),
  finish: () => finish('enough'),
  gotoModel: () => goto('model'),
  gotoTools: () => goto('tools'),
  gotoNowhere: () => goto('nowhere'),
  rewindStep: () => rewind(0, 'Back.'),
  rewindFirst: ctx => rewind(ctx.messages.at(0)?.id ?? 'none'),
  rewindSnapshot: ctx => rewind(ctx.snapshot()),
  fail: () => fail(new Error('failed')),
  throw: () => {
    throw new Error('hook broke')
  },
  nonsense: () => 42,
  twice: async (_ctx, next) => {
    await next?.()
    return next?.()
  },
  noNext: () => undefined,
  dropNext: (_ctx, next) => void next?.(),
  sleep: ctx => ctx.clock.sleep(10),
  hang: () => new Promise(() => {}),
  ask: async ctx => void (await ctx.ask('question', {})),
  askFallback: async ctx => void (await ctx.ask('permission', {}, { timeout: 25, fallback: 'deny' })),
  interject: ctx => ctx.turn.interject('By the way.'),
  interrupt: ctx => ctx.turn.interrupt('hook'),
  append: ctx => ctx.messages.append({ role: 'user', content: 'Appended.' }),
  insert: ctx => ctx.messages.insert(0, { role: 'system', content: 'Inserted.' }),
  removeLast: ctx => ctx.messages.remove(ctx.messages.at(-1)?.id ?? 'none'),
  replaceLast: ctx => ctx.messages.replace(ctx.messages.at(-1)?.id ?? 'none', { role: 'user', content: 'Other.' }),
  reorder: ctx => ctx.messages.reorder(ctx.messages.map(({ id }) => id).reverse()),
  snapshot: ctx => ctx.shared.set('snapshot', ctx.snapshot()),
  restore: ctx => {
    const taken = ctx.shared.get<ReturnType<Context['snapshot']>>('snapshot')
    if (taken) ctx.restore(taken)
  },
  generate: async ctx => void (await ctx.generate(scriptedModel(['Judged.']), 'Judge.')),
  changeInput: (ctx, next) => {
    if (next) return next(structuredClone(ctx.input))
    ctx.input = structuredClone(ctx.input)
  },
  rename: (ctx, next) => {
    const other = { ...(ctx.input as object), id: 'mine' }
    if (next) return next(other)
    ctx.input = other
  },
  emit: ctx => ctx.emit({ type: 'custom.news' }),
  forge: ctx => ctx.emit({ type: 'turn.completed' } as never),
  disable: ctx => {
    for (const { name } of ctx.agent.middleware) ctx.agent.disable(name)
  },
  skipCalls: () => skip([{ type: 'call', id: 'same', name: 'later', args: {} }]),
  replaceEnd: () => replace({ status: 'banana' }),
  atOnce: async (_ctx, next) => (await Promise.all([next?.(), next?.()]))[0],
  update: ctx => ctx.update(() => 1),
}

const returnsResult: readonly Act[] = ['twice', 'noNext', 'dropNext', 'changeInput', 'rename', 'nonsense', 'atOnce']

/** Does what the plan says, and goes on where the plan says nothing about that. */
function perform(name: string, ctx: Any, next: Next): unknown {
  const act = name as Act
  const returned = play[act](ctx, next)
  if (!next || returnsResult.includes(act)) return returned
  if (returned instanceof Promise) return returned.then(value => value ?? next())
  return returned ?? next()
}

function hookOf({ hook, act, at, async }: HookPlan): unknown {
  const on = hook.startsWith('on')
  let count = -1
  return (first: Any, second: unknown) => {
    const ctx = on ? (second as Any) : first
    const next = on ? undefined : (second as Next)
    count++
    // What acts each time ends by the caps of the loop; a few times are enough.
    if (at === -1 ? count > 12 : at !== count) return next?.()
    return async ? Promise.resolve().then(() => perform(act, ctx, next)) : perform(act, ctx, next)
  }
}

function middlewareOf({ hooks, timeout, onFailure, guard, priority }: OwnerPlan, index: number): Middleware {
  return middleware({
    name: `m${index}`,
    guard,
    priority,
    ...(timeout === undefined ? {} : { timeout }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...Object.fromEntries(hooks.map(plan => [plan.hook, hookOf(plan)])),
  } as Parameters<typeof middleware>[0])
}

/** The same script by a model that runs the loop itself. */
function managed(script: readonly ReplyPlan[]): Model {
  return {
    id: 'managed',
    loop: 'intercept',
    async *stream(_prompt, { runTools }) {
      for (const { text, calls, error } of script) {
        yield { type: 'text', text }
        if (calls.length)
          await runTools?.(calls.map(({ name, id, args }, i) => ({ id: id ?? `call_${i}`, name, args })))
        if (error) throw new Error(error)
      }
      yield { type: 'text', text: 'The end.' }
    },
  }
}

/** A sub-agent that may hang, for a tool. */
function delegate(clock: VirtualClock, prompts: Prompt[]): Tool {
  const model = scriptedModel(
    [
      prompt => {
        prompts.push(prompt)
        return prompt.messages.at(-1)?.role === 'user' ? { calls: [{ name: 'slow' }, { name: 'throws' }] } : 'Below.'
      },
    ],
    { clock, repeat: true },
  )
  return agentTool(createAgent({ model, tools: tools(clock), clock, breaker: false }), {
    name: 'delegates',
    schema: {},
  })
}

/** One program set up: the agent, its clock, and a turn that runs. */
function start(program: Program) {
  const clock = virtualClock()
  const script = program.script.map(
    ({ error, finish, ...rest }): ScriptedStep => ({
      ...(rest as object),
      ...(finish ? { finish } : {}),
      ...(error ? { error: new Error(error) } : {}),
    }),
  )
  const scripted = scriptedModel([...script, 'The end.'], { clock, repeat: true })
  const below: Prompt[] = []
  const agent = createAgent({
    model: program.managed ? managed(program.script) : scripted,
    tools: [...tools(clock), delegate(clock, below)],
    use: program.owners.map(middlewareOf),
    clock,
    ids: sequentialIds(),
    parallelTools: program.parallel,
    maxSteps: 12,
    breaker: false,
  })
  const chat = agent.conversation()
  const log: Event[] = []
  chat.subscribe(event => log.push(event))
  const controller = new AbortController()
  const turn = chat.send('Go.', { signal: controller.signal })
  const events: Event[] = []
  const reading = (async () => {
    for await (const event of turn) events.push(event)
  })()
  return { clock, scripted, below, agent, chat, log, controller, turn, events, reading }
}
type Running = ReturnType<typeof start>

/** People interrupt, interject and answer at their times. */
async function meddle({ clock, chat, turn, controller }: Running, program: Program): Promise<void> {
  const actions = {
    interrupt: () => turn.interrupt(),
    abort: () => controller.abort('away'),
    interject: () => turn.interject('And this.'),
    answer: () => {
      for (const { id } of chat.requests) chat.answer(id, { decision: 'allow' })
    },
  }
  let now = 0
  for (const { at, do: what } of program.outside.toSorted((a, b) => a.at - b.at)) {
    await clock.advance(at - now)
    now = at
    try {
      actions[what]()
    } catch (error) {
      if ((error as { code?: string }).code !== 'turn.ended') throw error
    }
  }
}

/** Runs a program to its end, with people meddling, and one plain turn after it. */
export async function runProgram(program: Program): Promise<Trace> {
  const running = start(program)
  const { clock, scripted, below, agent, chat, log, controller, turn, events, reading } = running
  await meddle(running, program)
  // Long enough for every deadline; what still runs then hangs for ever, and only an interrupt ends it.
  for (let i = 0; i < 40 && !turn.ended; i++) await clock.advance(300_000)
  if (!turn.ended) turn.interrupt('at last')
  const result = turn.ended ? await turn.settled : undefined
  await clock.advance(10_000)
  await reading
  for (const { name } of agent.middleware) agent.disable(name)
  const { timers } = clock
  const listeners = getEventListeners(controller.signal, 'abort').length
  const { messages } = chat
  const next = chat.send('Next.')
  // The script may go on with calls that hang.
  await clock.advance(1000)
  next.interrupt()
  await next.settled
  const leaves = chat.tree.filter(({ id }) => !chat.tree.some(({ parentId }) => parentId === id))
  const branches = leaves.map(({ id }) => chat.fork(id).messages)
  return { result, events, log, prompts: [...scripted.prompts, ...below], messages, branches, timers, listeners }
}
