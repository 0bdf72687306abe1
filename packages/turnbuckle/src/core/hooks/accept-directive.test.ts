import fc from 'fast-check'
import { again, block, createAgent, type Event, fail, finish, middleware, skip, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

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

// The failure was told twice, the second time as a misplaced directive that nobody had returned.
test.each([
  { kind: 'a guard', settings: { guard: true, onFailure: 'closed' as const }, value: 'Guard "check" failed: broken' },
  {
    kind: 'one that fails closed',
    settings: { guard: false, onFailure: 'closed' as const },
    value: '"check" failed: broken',
  },
])('a failing afterTool of $kind withholds the result and says why, once', async ({ settings, value }) => {
  const check = middleware({
    name: 'check',
    ...settings,
    afterTool() {
      throw new Error('broken')
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'read' }] }, 'done'])
  const turn = createAgent({ model, tools: [tool({ name: 'read', run: () => 'secret' })], use: [check] }).send('?')
  const { messages } = await turn
  expect(messages[2]?.content[0]).toMatchObject({ status: 'error', value: `The result is withheld. ${value}` })
  const failures: Event[] = []
  for await (const event of turn) if (event.type === 'hook.failed') failures.push(event)
  expect(failures).toMatchObject([{ name: 'check', point: 'afterTool', error: 'broken' }])
})

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
