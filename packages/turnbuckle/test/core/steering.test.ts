import fc from 'fast-check'
import {
  again,
  block,
  createAgent,
  type Directive,
  type DirectiveType,
  fail,
  finish,
  goto,
  middleware,
  rewind,
  skip,
  stop,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const give: Record<string, () => Directive | undefined> = {
  nothing: () => undefined,
  fail: () => fail(new Error('no')),
  stop: () => stop('no'),
  rewind: () => rewind(0),
  goto: () => goto('model'),
  again: () => again('More.'),
  finish: () => finish('enough'),
}
const names = Object.keys(give)
const order = ['fail', 'stop', 'rewind', 'goto', 'again', 'finish']

test('four hooks, each with any directive: the agent does what the resolver says, and explains it', async () => {
  const four = names.flatMap(a => names.flatMap(b => names.flatMap(c => names.map(d => [a, b, c, d]))))
  const failures: string[] = []
  for (const list of four) {
    const use = list.map((name, i) =>
      middleware({
        name: `m${i}`,
        afterDecide: ctx => (ctx.step === 0 && ctx.turn.steps === 1 ? give[name]?.() : undefined),
      }),
    )
    const turn = createAgent({ model: scriptedModel(['One', 'Two']), use }).send('Go')
    const { status, by } = await turn.settled
    // After hooks run in reverse; within a rank the first wins in call order.
    const called = list.map((name, i) => ({ name, by: `m${i}` })).toReversed()
    const winner = order.map(name => called.find(given => given.name === name)).find(Boolean)
    const won = turn.explain().filter(decision => decision.won)
    const ends = { fail: 'failed', stop: 'stopped' }[winner?.name ?? ''] ?? 'completed'
    const steps = ['rewind', 'goto', 'again'].includes(winner?.name ?? '') ? 2 : 1
    const author = ['fail', 'stop', 'finish'].includes(winner?.name ?? '') ? winner?.by : 'model'
    const asSaid =
      status === ends &&
      by === author &&
      turn.steps === steps &&
      turn.explain().length === list.filter(name => name !== 'nothing').length &&
      won.length === (winner ? 1 : 0) &&
      won[0]?.by === winner?.by &&
      (won[0]?.directive as string | undefined) === winner?.name
    if (!asSaid) failures.push(`${list}: ${status} by ${by} after ${turn.steps}, won ${JSON.stringify(won)}`)
  }
  expect(four).toHaveLength(2401)
  expect(failures).toEqual([])
})

// What a hook does to one call.
const acts: Record<string, () => unknown> = {
  nothing: () => undefined,
  skip: () => skip('cached'),
  block: () => block('no'),
  stop: () => stop('no'),
  fail: () => fail(new Error('no')),
  finish: () => finish('enough'),
  again: () => again('More.'),
  throw: () => {
    throw new Error('broken')
  },
  nonsense: () => 42,
}
const point = fc.constantFrom('beforeTools', 'beforeTool', 'afterTool', 'beforeModel', 'afterModel', 'afterDetect')
const plan = fc.record({
  hook: point,
  act: fc.constantFrom(...Object.keys(acts)),
  call: fc.constantFrom('a', 'b', 'c', 'any'),
  onFailure: fc.constantFrom(undefined, 'open' as const),
})
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

function planned({ hook, act, call, onFailure }: Plan, name: string, guard: boolean) {
  const run = (ctx: { readonly call?: { readonly id: string } | undefined }) =>
    call === 'any' || !ctx.call || ctx.call.id === call ? acts[act]?.() : undefined
  return middleware({
    name,
    guard,
    ...(onFailure ? { onFailure } : {}),
    [hook]: run,
  } as Parameters<typeof middleware>[0])
}

async function executed(plans: readonly Plan[], guard?: Plan): Promise<string[]> {
  const ran: string[] = []
  const use = plans.map((each, i) => planned(each, `m${i}`, false))
  const agent = createAgent({
    model: scriptedModel([{ calls: ['a', 'b', 'c'].map(id => ({ name: 'act', id, args: { id } })) }, 'Done'], {
      repeat: true,
    }),
    tools: [tool({ name: 'act', run: (_args, ctx) => void ran.push(ctx.call.id) })],
    use: guard ? [planned(guard, 'guard', true), ...use] : use,
    maxSteps: 2,
    breaker: false,
  })
  await agent.send('Go').settled
  return ran
}

test('adding a guard never loosens a decision', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { maxLength: 4 }), plan, async (plans, guard) => {
      const without = await executed(plans)
      const guarded = await executed(plans, guard)
      expect(without).toEqual(expect.arrayContaining(guarded))
    }),
    { numRuns: 500, seed: 20261115 },
  )
})

test('a guard that blocks is never overruled, whatever stands around it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { maxLength: 4 }), async plans => {
      const guard: Plan = { hook: 'beforeTool', act: 'block', call: 'b', onFailure: undefined }
      expect(await executed(plans, guard)).not.toContain('b')
    }),
    { numRuns: 300, seed: 20261115 },
  )
})

test.each<{ type: DirectiveType; directive: Directive }>([
  { type: 'goto', directive: goto('model') },
  { type: 'rewind', directive: rewind(0) },
  { type: 'again', directive: again('More.') },
])('$type alone ends after the shared cap, as stopped', async ({ type, directive }) => {
  const loops = middleware({ name: 'loops', afterDecide: () => directive })
  const agent = createAgent({ model: scriptedModel(['Hm'], { repeat: true }), use: [loops], maxSteps: Infinity })
  const turn = agent.send('Go')
  expect(await turn).toMatchObject({ status: 'stopped', reason: '100 jumps', by: 'maxJumps', steps: 101 })
  expect(turn.explain().filter(decision => decision.directive === type && decision.won)).toHaveLength(100)
})

test('goto inside a step counts for the same cap', async () => {
  const loops = middleware({ name: 'loops', afterModel: () => goto('model') })
  const agent = createAgent({ model: scriptedModel(['Hm'], { repeat: true }), use: [loops], maxSteps: Infinity })
  expect(await agent.send('Go')).toMatchObject({ status: 'stopped', reason: '100 jumps' })
})

test('the step limit ends a turn that goes on for ever; Infinity removes it', async () => {
  const look = tool({ name: 'look', run: () => 'x' })
  const endless = () =>
    scriptedModel([({ messages }) => ({ calls: [{ name: 'look', args: { n: messages.length } }] })], { repeat: true })
  expect(await createAgent({ model: endless(), tools: [look] }).send('Go')).toMatchObject({
    status: 'stopped',
    reason: '50 steps',
    by: 'maxSteps',
    steps: 50,
  })
  const later = middleware({ name: 'later', beforeStep: ctx => (ctx.step === 70 ? stop('70') : undefined) })
  const unlimited = createAgent({ model: endless(), tools: [look], use: [later], maxSteps: Infinity })
  expect(await unlimited.send('Go')).toMatchObject({ reason: '70', steps: 70 })
})
