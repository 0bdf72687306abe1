import type { Middleware, Span } from 'turnbuckle'
import { type AnyContext, acts, decides, type Moment, type Next } from './acts.ts'
import { type Life, never, refusal } from './life.ts'
import type { HookPlan, OwnerPlan } from './program.ts'
import { see } from './see.ts'

const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide', 'Generate']
const stageHooks = stages.flatMap(stage => [`before${stage}`, `wrap${stage}`, `after${stage}`])
/** Every hook that there is. */
export const everyHook: readonly string[] = [...stageHooks, 'onChunk', 'onError', 'onEvent', 'onOpen', 'onTrace']
/** Hooks that the loop does not wait for. */
const observers = ['onEvent', 'onOpen', 'onTrace']

type Hook = (first: unknown, second: unknown) => unknown

/** Makes a middleware of its plan. */
export function middlewareOf(life: Life, plan: OwnerPlan, name: string): Middleware {
  const { guard, priority, onFailure, timeout, tools, scope, watches } = plan
  const watched = watches === 'all' ? everyHook : stageHooks
  const plans = watches
    ? watched.map(hook => ({ hook, act: 'watch', at: 0, wait: 'none' as const, pick: 0 }))
    : plan.hooks
  const hooks = new Map<string, HookPlan[]>()
  for (const one of plans) hooks.set(one.hook, [...(hooks.get(one.hook) ?? []), one])
  const made = [...hooks].map(([hook, all]) => [hook, hookOf(life, name, hook, all)])
  return life.library.root.middleware({
    name,
    guard,
    priority,
    ...(onFailure ? { onFailure } : {}),
    ...(timeout ? { timeout } : {}),
    ...(tools ? { tools } : {}),
    ...(scope ? { scope, state: { n: 0 } } : {}),
    ...Object.fromEntries(made),
  })
}

function hookOf(life: Life, owner: string, hook: string, plans: readonly HookPlan[]): Hook {
  const key = `${owner}.${hook}`
  const on = hook.startsWith('on')
  return (first, second) => {
    if (life.dead) return never()
    const ctx = (on ? second : first) as AnyContext
    const next = on ? undefined : (second as Next)
    const news = on ? first : undefined
    record(life, key, hook, ctx, news)
    life.onPoint('hook')
    if (life.dead) return never()
    const plan = dueAt(plans, life.count(key))
    const going = plan ? act(life, plan, ctx, next, news) : next?.()
    return next ? told(life, key, ctx, going) : going
  }
}

/** The first plan of a hook that acts at this occurrence. A plan for each occurrence acts eight times. */
const dueAt = (plans: readonly HookPlan[], occurrence: number): HookPlan | undefined =>
  plans.find(({ at, act }) => act !== 'watch' && (at === -1 ? occurrence < 8 : at === occurrence))

function record(life: Life, key: string, hook: string, ctx: AnyContext, news: unknown): void {
  const lane = ctx.call?.id
  // A context at an event may be of any stage: what it shows there is not promised.
  if (hook === 'onEvent') life.say('hook', key, (news as { type: string }).type, lane)
  else if (observers.includes(hook)) sayHookSpan(life, key, news as Span)
  else life.say('hook', key, hook.startsWith('on') ? { news, ...see(hook, ctx) } : see(hook, ctx), lane)
}

/**
 * Tells of a span; of what a hook changed only the kind, since the values are the loop's own. Spans of calls that go side
 * by side are numbered in no particular order, and so end those that a deadline cuts off in one instant.
 */
export function sayHookSpan(life: Life, key: string, { changed, ...span }: Span): void {
  const isLane = span.callId !== undefined && life.program.batches === 'paced'
  const { id, parentId, ...rest } = span
  const cut = span.error === 'The turn was interrupted.' ? `cut ${String(id).padStart(5, '0')}` : undefined
  const data = { ...(isLane ? rest : span), changed: changed?.map(({ what }) => what) }
  life.say('hook', key, data, span.callId ?? cut)
}

/** A wrap, with what came of it. */
function told(life: Life, key: string, ctx: AnyContext, going: unknown): unknown {
  if (!(going instanceof Promise)) return going
  const lane = ctx.call?.id
  return going.then(
    value => {
      life.say('hook', `${key} gives`, value ?? 'nothing', lane)
      return life.dead ? never() : value
    },
    error => {
      life.say('hook', `${key} throws ${refusal(error)}`, undefined, lane)
      if (life.dead) return never()
      throw error
    },
  )
}

function act(life: Life, plan: HookPlan, ctx: AnyContext, next: Next, news: unknown): unknown {
  const { wait, hook } = plan
  const lane = ctx.call?.id
  const go = () => (life.dead ? never() : perform(plan, { life, ctx, next, news, pick: plan.pick }))
  if (wait === 'none') return go()
  // An observer is not waited for: after a microtask its deed would come at no particular point.
  if (wait === 'micro') return observers.includes(hook) ? go() : Promise.resolve().then(go)
  return life.sleep(wait, lane).then(go)
}

/** Does what the plan says, and goes on where the plan says nothing about that. */
function perform({ act }: HookPlan, moment: Moment): unknown {
  const { next } = moment
  const returned = acts[act]?.(moment)
  if (!next || decides(act)) return returned
  if (returned instanceof Promise) return returned.then(value => value ?? next())
  return returned ?? next()
}
