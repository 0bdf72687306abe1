import { createAgent, middleware } from 'turnbuckle'
import { type FallbackOptions, fallback, retry } from 'turnbuckle/middleware'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const down = (id: string, times = 1) =>
  scriptedModel([...Array<ScriptedStep>(times).fill({ error: new Error(`${id} is down`) }), `from ${id}`], { id })

describe('fallback', () => {
  test.each<{ title: string; down: number[]; asked: number[]; ends: string; options?: FallbackOptions }>([
    { title: 'the first one answers', down: [0, 0, 0], asked: [1, 0, 0], ends: 'from a' },
    { title: 'the second one', down: [1, 0, 0], asked: [1, 1, 0], ends: 'from b' },
    { title: 'the third one', down: [1, 1, 0], asked: [1, 1, 1], ends: 'from c' },
    { title: 'none', down: [1, 1, 1], asked: [1, 1, 1], ends: 'c is down' },
    {
      title: 'not for this error',
      down: [1, 0, 0],
      asked: [1, 0, 0],
      ends: 'a is down',
      options: { when: () => false },
    },
  ])('$title', async ({ down: times, asked, ends, options }) => {
    const models = ['a', 'b', 'c'].map((id, i) => down(id, times[i]))
    const [a, ...others] = models
    const result = await createAgent({ model: a as (typeof models)[0], use: [fallback(others, options)] }).send('go')
      .settled
    expect(result.status === 'completed' ? result.text : result.reason).toBe(ends)
    expect(models.map(model => model.prompts.length)).toEqual(asked)
  })

  test('what was tried is told', async () => {
    const turn = createAgent({ model: down('a'), use: [fallback([down('b')])] }).send('go')
    const events: unknown[] = []
    for await (const event of turn) if (event.type === ('fallback.used' as string)) events.push(event)
    expect(events).toMatchObject([{ from: 'a', to: 'b', tried: [{ model: 'a', error: 'a is down' }] }])
    await expect(turn).rejects.toMatchObject({
      message: 'b is down',
      tried: [
        { model: 'a', error: 'a is down' },
        { model: 'b', error: 'b is down' },
      ],
    })
  })

  test.each([
    { title: 'retry behind it tries each model again', order: 'inside', asked: [2, 2] },
    { title: 'retry before it goes through all again', order: 'outside', asked: [2, 2] },
  ])('$title', async ({ order, asked }) => {
    const seen: string[] = []
    const [a, b] = [down('a', 2), down('b', 1)]
    const log = middleware({
      name: 'log',
      wrapModel: (ctx, next) => {
        seen.push(ctx.prompt.model?.id ?? 'a')
        return next()
      },
    })
    const again = retry({ times: 1, baseMs: 0 })
    const use = order === 'inside' ? [fallback([b]), again, log] : [again, fallback([b]), log]
    const result = await createAgent({ model: a, use }).send('go')
    expect([result.text, a.prompts.length, b.prompts.length]).toEqual(['from b', ...asked])
    expect(seen).toEqual(order === 'inside' ? ['a', 'a', 'b', 'b'] : ['a', 'b', 'a', 'b'])
  })

  test("hooks' own model calls fall back too", async () => {
    let said = ''
    const asking = middleware({
      name: 'asking',
      beforeModel: async ctx => {
        said = (await ctx.generate(down('judge'), '?')).text
      },
    })
    await createAgent({ model: scriptedModel(['ok']), use: [fallback([scriptedModel(['fine'])]), asking] }).send('go')
    expect(said).toBe('fine')
  })
})
