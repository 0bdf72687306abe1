import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const broken = () => scriptedModel([{ error: new Error('judge is down') }])

describe("a hook's own model call that fails", () => {
  test('rejects with the error, and the turn goes on when the hook catches it', async () => {
    let seen: unknown
    const judge = middleware({
      name: 'judge',
      async afterModel(ctx) {
        seen = await ctx.generate(broken(), 'Good?').catch(error => error)
      },
    })
    const result = await createAgent({ model: scriptedModel(['hello']), use: [judge] }).send('hi')
    expect(result.status).toBe('completed')
    expect(String(seen)).toContain('judge is down')
    expect(seen).toEqual(new Error('judge is down'))
  })

  test.each([
    { onFailure: 'open' as const, status: 'completed' },
    { onFailure: 'closed' as const, status: 'failed' },
  ])('uncaught, counts as the failure mode says: $onFailure', async ({ onFailure, status }) => {
    const judge = middleware({
      name: 'judge',
      onFailure,
      async beforeModel(ctx) {
        await ctx.generate(broken(), 'Good?')
      },
    })
    const result = await createAgent({ model: scriptedModel(['hello']), use: [judge] }).send('hi').settled
    expect(result.status).toBe(status)
  })
})

test('that asks for another one for ever meets the depth limit', async () => {
  let asked = 0
  const judge = scriptedModel(['Good.'], { repeat: true })
  const deep = middleware({
    name: 'deep',
    async beforeModel(ctx) {
      await ctx.generate(judge, 'Good?')
    },
    async beforeGenerate(ctx) {
      if (++asked < 100) await ctx.generate(judge, 'Sure?')
    },
  })
  const agent = createAgent({ model: scriptedModel(['hello']), use: [deep], maxDepth: 4 })
  const { status, reason } = await agent.send('hi').settled
  expect(status).toBe('failed')
  expect(reason).toContain('4 is the limit')
  expect(asked).toBe(4)
})

test('asks nobody when the turn is over', async () => {
  let late: (() => Promise<unknown>) | undefined
  const judge = scriptedModel(['Good.'])
  const keeps = middleware({
    name: 'keeps',
    beforeModel(ctx) {
      late = () => ctx.generate(judge, 'Good?')
    },
  })
  await createAgent({ model: scriptedModel(['hello']), use: [keeps] }).send('hi')
  await expect(late?.()).rejects.toMatchObject({ code: 'turn.interrupted' })
  expect(judge.prompts).toEqual([])
})
