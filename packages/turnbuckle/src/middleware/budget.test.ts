import { type Context, createAgent, type Middleware, middleware, skip } from 'turnbuckle'
import { costLimit, critic, critics, moderation, stepLimit, tokenLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const usage = { inputTokens: 30, outputTokens: 20, cost: 1 }
const limits: Record<string, () => Middleware> = {
  'cost-limit': () => costLimit(1),
  'token-limit': () => tokenLimit(50),
  'step-limit': () => stepLimit({ max: 1, generate: true }),
}
const judge = () => scriptedModel(['ACCEPT'])
const own = () =>
  middleware({
    name: 'own',
    onFailure: 'closed',
    async afterDecide(ctx) {
      const { text } = await ctx.generate(judge(), 'Good?').catch(() => ({ text: '' }))
      JSON.parse(text)
    },
  })
const wrapped = () =>
  middleware({
    name: 'wrapped',
    async wrapTurn(ctx, next) {
      const result = await next()
      await ctx.generate(judge(), 'Good?')
      return result
    },
  })
const judges: Record<string, () => Middleware> = {
  critic: () => critic(judge()),
  critics: () => critics([{ judge: judge() }, { judge: judge() }]),
  own,
  wrapped,
}

describe("a limit that is reached at a hook's own model call", () => {
  const pairs = Object.keys(limits).flatMap(by => Object.keys(judges).map(caller => ({ by, caller })))
  test.each(pairs)('stops the turn, and the draft stays: $by, $caller', async ({ by, caller }) => {
    const model = scriptedModel([{ text: 'draft', usage }])
    const agent = createAgent({ model, use: [judges[caller]?.() ?? [], limits[by]?.() ?? []].flat() })
    const turn = agent.send('hi')
    expect(await turn).toMatchObject({ status: 'stopped', by, text: 'draft' })
    // A judge whose call was refused wanted no stop. Critics ask side by side, and the limit refuses each call.
    const [first, ...others] = turn.explain()
    expect(first).toMatchObject({ directive: 'stop', by, won: true })
    expect(others).toMatchObject(caller === 'critics' ? [{ directive: 'stop', by, won: false }] : [])
  })

  test.each(Object.keys(limits))('text that moderation still held back stays hidden: %s', async by => {
    const guard = moderation({ model: scriptedModel(['PASS'], { repeat: true }), input: false, output: 'reply' })
    const model = scriptedModel([
      {
        chunks: [
          { type: 'usage', ...usage },
          { type: 'text', text: 'draft' },
        ],
      },
    ])
    // Reported before the text: the limit is reached while the reply is held back.
    const early = middleware({
      name: 'early',
      async beforeModel(ctx) {
        await ctx.generate(scriptedModel([{ text: 'ok', usage }]), 'First.')
      },
    })
    const stepwise = by === 'step-limit'
    const limit = stepwise ? stepLimit({ max: 2, generate: true }) : (limits[by]?.() ?? [])
    const use = stepwise ? [early, guard, limit] : [guard, limit]
    const agent = createAgent({ model, use: use.flat() })
    const turn = agent.send('hi')
    const shown: string[] = []
    for await (const event of turn) shown.push(JSON.stringify(event))
    const result = await turn
    expect(result).toMatchObject({ status: 'stopped', by, text: '' })
    expect(shown.join()).not.toContain('draft')
    expect(JSON.stringify(result.messages)).not.toContain('draft')
  })

  const title = async (ctx: Pick<Context, 'generate'>) => void (await ctx.generate(judge(), 'A title?'))
  test.each<{ what: string; hook: Middleware; status: string; won: boolean }>([
    {
      what: 'completed where afterTurn fails open',
      hook: middleware({ name: 'title', afterTurn: title }),
      status: 'completed',
      won: false,
    },
    {
      what: 'stopped where afterTurn fails closed',
      hook: middleware({ name: 'title', onFailure: 'closed', afterTurn: title }),
      status: 'stopped',
      won: true,
    },
    {
      what: 'completed where wrapTurn catches it',
      hook: middleware({
        name: 'title',
        wrapTurn: async (ctx, next) => {
          const result = await next()
          await title(ctx).catch(() => undefined)
          return result
        },
      }),
      status: 'completed',
      won: false,
    },
  ])('leaves a turn that has its answer $what', async ({ hook, status, won }) => {
    const model = scriptedModel([{ text: 'answer', usage }])
    const turn = createAgent({ model, use: [hook, costLimit(1)] }).send('hi')
    expect(await turn).toMatchObject({ status, text: 'answer', usage: { cost: 1 } })
    expect(turn.explain()).toMatchObject([{ directive: 'stop', by: 'cost-limit', won }])
  })

  test('a ready reply that moderation could not look at is not shown', async () => {
    const guard = moderation({ model: scriptedModel(['PASS']), input: false })
    const ready = middleware({ name: 'ready', beforeModel: () => skip('draft') })
    const result = await createAgent({
      model: scriptedModel([]),
      use: [ready, guard, stepLimit({ max: 1, generate: true })],
    }).send('hi')
    expect(result).toMatchObject({ status: 'stopped', by: 'step-limit', text: '' })
  })
})
