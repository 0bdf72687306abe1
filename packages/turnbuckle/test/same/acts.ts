import type { Context, Message, Model, Pipeline } from 'turnbuckle'
import { type Life, refusal } from './life.ts'
import { judgeModel } from './model-of.ts'

/** A context as any hook may have it: the types of each hook show less. */
export type AnyContext = Context & {
  input?: unknown
  message?: Message
  prompt?: {
    params: object
    instructions: string
    tools: readonly unknown[]
    messages: readonly Message[]
    model?: Model
  }
  call?: { readonly id: string; readonly name: string; readonly args: unknown }
  calls?: readonly { readonly id: string }[]
}
export type Next = ((input?: unknown, options?: object) => Promise<unknown>) | undefined

export interface Moment {
  readonly life: Life
  readonly ctx: AnyContext
  readonly next: Next
  readonly pick: number
  /** The chunk, error, event or span that an `on` hook is told of. */
  readonly news: unknown
}
type Act = (moment: Moment) => unknown

const laneOf = ({ ctx }: Moment): string => ctx.call?.id ?? ''
const some = <Value>(from: readonly Value[], pick: number): Value | undefined => from[pick % Math.max(1, from.length)]
const idOf = ({ ctx, pick }: Moment): string => some(ctx.messages.toArray(), pick)?.id ?? 'none'

const directives: Record<string, Act> = {
  skip: ({ life }) => life.library.root.skip(),
  skipText: ({ life }) => life.library.root.skip('skipped'),
  skipResult: ({ life }) => life.library.root.skip({ status: 'error', value: 'skipped' }),
  skipMessage: ({ life }) => life.library.root.skip({ role: 'assistant', content: [{ type: 'text', text: 'Ready.' }] }),
  skipCalls: ({ life }) => life.library.root.skip([{ type: 'call', id: 'same', name: 'later', args: {} }]),
  block: ({ life }) => life.library.root.block('blocked'),
  replaceText: ({ life }) => life.library.root.replace('replaced'),
  replaceResult: ({ life }) => life.library.root.replace({ status: 'ok', value: [1, 2] }),
  replaceCalls: ({ life }) => life.library.root.replace([{ type: 'call', id: 'mine', name: 'ok', args: { x: 5 } }]),
  replaceResults: ({ life }) => life.library.root.replace(['one', { status: 'error', value: 'two' }, 'three']),
  replaceMessagePart: ({ life }) =>
    life.library.root.replace({ role: 'assistant', content: [{ type: 'text', text: 'Put in its place.' }] }),
  replaceOdd: ({ life }) => life.library.root.replace({ status: 'banana' }),
  stop: ({ life }) => life.library.root.stop('stopped'),
  stopSaying: ({ life }) => life.library.root.stop('stopped', { say: 'Good bye.' }),
  again: ({ life }) => life.library.root.again('Again.'),
  finish: ({ life }) => life.library.root.finish('enough'),
  gotoModel: ({ life }) => life.library.root.goto('model'),
  gotoTools: ({ life }) => life.library.root.goto('tools'),
  gotoDecide: ({ life }) => life.library.root.goto('decide'),
  gotoOwn: ({ life }) => life.library.root.goto('moderate'),
  gotoNowhere: ({ life }) => life.library.root.goto('nowhere'),
  gotoPipeline: ({ life }) => life.library.root.goto(otherPipeline(life)),
  rewindStep: ({ life, pick }) => life.library.root.rewind(pick % 3, 'Back.'),
  rewindMessage: moment => moment.life.library.root.rewind(idOf(moment)),
  rewindHere: ({ life, ctx }) => life.library.root.rewind(ctx.snapshot(), 'From here.'),
  rewindTaken: ({ life, ctx }) =>
    life.library.root.rewind((life.snapshot as ReturnType<Context['snapshot']>) ?? ctx.step),
  fail: ({ life }) => life.library.root.fail(new Error('failed')),
  failOdd: ({ life }) => life.library.root.fail('words'),
}

function otherPipeline(life: Life): Pipeline {
  const { pipeline, stage } = life.library.root
  const run = (_ctx: unknown, input: unknown) => {
    life.say('hook', 'stage extra')
    return input
  }
  return pipeline().before('model', stage({ name: 'extra', run }))
}

const misdeeds: Record<string, Act> = {
  throw: () => {
    throw new Error('hook broke')
  },
  throwOdd: () => {
    throw { odd: true }
  },
  nonsense: () => 42,
  hang: () => new Promise(() => {}),
  forge: ({ ctx }) => ctx.emit({ type: 'turn.completed' } as never),
  assignInput: ({ ctx }) => {
    ctx.input = structuredClone(ctx.input)
  },
  assignForeign: ({ ctx }) => {
    ctx.calls = []
  },
}

const edits: Record<string, Act> = {
  append: ({ ctx }) => ctx.messages.append({ role: 'user', content: 'Appended.' }),
  insert: ({ ctx, pick }) =>
    ctx.messages.insert(pick % (ctx.messages.length + 1), { role: 'user', content: 'Inserted.' }),
  insertFirst: ({ ctx }) => ctx.messages.insert(0, { role: 'system', content: 'Inserted.' }),
  remove: moment => moment.ctx.messages.remove(idOf(moment)),
  removeLast: ({ ctx }) => ctx.messages.remove(ctx.messages.at(-1)?.id ?? 'none'),
  replaceMessage: moment => moment.ctx.messages.replace(idOf(moment), { role: 'user', content: 'Other.' }),
  replaceLast: ({ ctx }) =>
    ctx.messages.replace(ctx.messages.at(-1)?.id ?? 'none', { role: 'user', content: 'Other.' }),
  reorder: ({ ctx }) => ctx.messages.reorder(ctx.messages.map(({ id }) => id).reverse()),
  snapshot: ({ ctx, life }) => life.keepSnapshot(ctx.snapshot()),
  tryOut: ({ ctx, life, pick }) => {
    const taken = ctx.snapshot()
    ctx.shared.set('tried', pick)
    ctx.instruct('Tried.', { for: 'turn' })
    ctx.update(state => ({ n: ((state as { n?: number } | undefined)?.n ?? 0) + 100 }))
    if (pick % 2) ctx.messages.append({ role: 'user', content: 'Tried.' })
    ctx.restore(taken)
    life.say('hook', 'tried', [ctx.shared.get('tried'), ctx.messages.length, ctx.state])
  },
  restore: ({ ctx, life }) => {
    if (life.snapshot) ctx.restore(life.snapshot as ReturnType<Context['snapshot']>)
  },
}

const doings: Record<string, Act> = {
  sleep: moment => moment.ctx.clock.sleep(moment.pick),
  emit: ({ ctx, pick }) => ctx.emit({ type: 'custom.news', pick }),
  instruct: ({ ctx, pick }) => ctx.instruct('Be kind.', { for: pick % 2 ? 'call' : 'turn' }),
  instructParams: ({ ctx, pick }) => ctx.instruct({ temperature: pick }, { for: pick % 2 ? 'call' : 'turn' }),
  share: ({ ctx, life, pick }) => {
    life.say('hook', 'shared', ctx.shared.get('n'))
    ctx.shared.set('n', { pick })
  },
  update: ({ ctx }) => ctx.update(state => ({ n: ((state as { n?: number } | undefined)?.n ?? 0) + 1 })),
  interject: ({ ctx }) => ctx.turn.interject('By the way.'),
  interrupt: ({ ctx }) => ctx.turn.interrupt('hook'),
  disable: ({ ctx, pick }) => {
    const one = some(ctx.agent.middleware, pick)
    if (one) ctx.agent.disable(one.name)
  },
  enable: ({ ctx, pick }) => {
    const one = some(ctx.agent.middleware, pick)
    if (one) ctx.agent.enable(one.name)
  },
  use: ({ life }) => {
    life.unuse ??= life.agent.use(life.spare())
  },
  look: ({ ctx, life }) =>
    life.say('hook', 'looks', [
      ctx.log.seq,
      ctx.log.events.length,
      ctx.clock.elapsed(),
      ctx.turn.usage,
      ctx.turn.steps,
      ctx.turn.explain(),
    ]),
}

const asking: Record<string, Act> = {
  ask: async moment => {
    const answer = await moment.ctx.ask('question', { why: 'so' })
    moment.life.say('hook', 'answered', answer, laneOf(moment))
  },
  askPermission: async ({ ctx, life, pick }) => {
    const answer = await ctx.ask('permission', { n: 1 }, pick % 3 ? { fallback: 'deny', timeout: pick } : {})
    return answer.decision === 'deny' ? life.library.root.block(answer.reason) : undefined
  },
  askBriefly: async ({ ctx, life, pick }) => {
    try {
      await ctx.ask('question', {}, { timeout: pick })
    } catch (error) {
      life.say('hook', `unanswered ${refusal(error)}`)
    }
  },
  askForever: async ({ ctx }) => void (await ctx.ask('question', {}, { timeout: Infinity })),
  generate: async moment => {
    const { text, usage } = await moment.ctx.generate(judgeModel(moment.life, moment.pick), 'Judge.')
    moment.life.say('hook', 'generated', [text, usage], laneOf(moment))
  },
  generateBroken: async ({ ctx, life }) => {
    try {
      await ctx.generate(judgeModel(life, 0, true), { instructions: 'Judge.', params: { n: 1 } })
    } catch (error) {
      life.say('hook', `not generated ${refusal(error)}`)
    }
  },
  agentSend: async ({ ctx, life }) => {
    const { status, reason, text } = await ctx.agent.send('Elsewhere.').settled
    // The hooks of that turn may still clean up after an interrupt.
    await life.sleep(1)
    life.say('hook', 'elsewhere', [status, reason, text])
  },
  forkSend: async ({ ctx, life }) => {
    const { status, reason, text } = await ctx.fork().send('Aside.').settled
    // The hooks of that turn may still clean up after an interrupt.
    await life.sleep(1)
    life.say('hook', 'aside', [status, reason, text])
  },
}

/** In a wrap; at other points they change the input where that is allowed, or do nothing. */
const wraps: Record<string, Act> = {
  twice: async ({ next, life }) => {
    await next?.().catch(error => life.say('hook', `first ${refusal(error)}`))
    return next?.()
  },
  noNext: () => undefined,
  giveValue: () => ({ status: 'ok', value: 'given' }),
  giveText: () => 'given',
  caught: ({ next, life }) => next?.().catch(error => void life.say('hook', `caught ${refusal(error)}`)),
  translated: ({ next }) =>
    next?.().catch(() => {
      throw new Error('translated')
    }),
  until: moment =>
    moment.next?.(undefined, {
      until: (end: (reason: unknown) => void) => moment.ctx.clock.after(moment.pick, () => end(new Error('too slow'))),
    }),
  untilSignal: ({ next, life, pick }) => {
    const controller = new AbortController()
    const off = life.world.after(pick, () => controller.abort(new Error('signalled')))
    return next?.(undefined, { signal: controller.signal }).finally(off)
  },
  overlap: async moment => {
    const first = moment.next?.()
    first?.catch(() => {})
    await moment.life.sleep(moment.pick, laneOf(moment))
    const second = moment.next?.()
    second?.catch(() => {})
    await first?.catch(async error => {
      // How far the second has come in this very instant is in no version's hands.
      await moment.life.sleep(1, laneOf(moment))
      throw error
    })
    return second
  },
  changeInput: ({ ctx, next }) => changed(ctx, next, structuredClone(inputOf(ctx))),
  rename: ({ ctx, next }) => changed(ctx, next, { ...(inputOf(ctx) as object), id: 'mine' }),
  changeArgs: ({ ctx, next }) => (ctx.call ? changed(ctx, next, { ...ctx.call, args: { x: 9 } }) : next?.()),
  changePrompt: ({ ctx, next }) =>
    ctx.prompt
      ? changed(ctx, next, { ...ctx.prompt, instructions: 'Other.', params: { ...ctx.prompt.params, top: 1 } })
      : next?.(),
  fewerTools: ({ ctx, next }) =>
    ctx.prompt ? changed(ctx, next, { ...ctx.prompt, tools: ctx.prompt.tools.slice(0, 3) }) : next?.(),
  changeMessage: ({ ctx, next }) =>
    ctx.message ? changed(ctx, next, { ...ctx.message, content: [{ type: 'text', text: 'Changed.' }] }) : next?.(),
  changeCalls: ({ ctx, next }) =>
    ctx.stage === 'tools' ? changed(ctx, next, [...(ctx.calls ?? [])].reverse()) : next?.(),
}

const inputOf = (ctx: AnyContext): unknown =>
  ctx.stage === 'tool' ? ctx.call : ctx.stage === 'tools' ? ctx.calls : (ctx.message ?? ctx.prompt ?? ctx.input)

function changed(ctx: AnyContext, next: Next, input: unknown): unknown {
  if (next) return next(input)
  if (ctx.stage === 'tool') ctx.call = input as NonNullable<AnyContext['call']>
  else if (ctx.stage === 'tools') ctx.calls = input as NonNullable<AnyContext['calls']>
  else ctx.input = input
}

/** Text chunks changed, split or dropped; other hooks than `onChunk` have none. */
const chunkActs: Record<string, Act> = {
  dropChunk: ({ news }) => (isText(news) ? [] : undefined),
  changeChunk: ({ news }) => (isText(news) ? { ...news, text: news.text.toUpperCase() } : undefined),
  splitChunk: ({ news }) => (isText(news) ? [...news.text].map(letter => ({ type: 'text', text: letter })) : undefined),
  endWithText: ({ news }) =>
    (news as { type?: string } | undefined)?.type === 'end' ? [{ type: 'text', text: 'held' }, news] : undefined,
}
const isText = (news: unknown): news is { type: 'text'; text: string } =>
  (news as { type?: unknown } | undefined)?.type === 'text'

export const acts: Readonly<Record<string, Act>> = {
  ...directives,
  ...misdeeds,
  ...edits,
  ...doings,
  ...asking,
  ...wraps,
  ...chunkActs,
}
/** Acts of hooks that observe: the loop does not wait for them, so they act at once. */
export const observerActNames: readonly string[] = [
  ...Object.keys({ ...doings, ...edits }).filter(name => name !== 'sleep'),
  ...['throw', 'throwOdd', 'nonsense', 'forge', 'stop'],
]
export const chunkActNames: readonly string[] = Object.keys(chunkActs)
export const actNames: readonly string[] = Object.keys(acts).filter(name => !(name in chunkActs))

/** Wraps that say themselves what comes of it. After any other act the wrap goes on with `next`. */
export const decides = (act: string): boolean => act in wraps || act === 'nonsense'
