import { again, createAgent, middleware, rewind, tool } from 'turnbuckle'
import { type StepLimitOptions, stepLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const work = tool({ name: 'work', run: () => 'ok' })
const working = () =>
  scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }] })], { repeat: true })

describe('stepLimit', () => {
  test.each<{ title: string; limit: number | StepLimitOptions; steps: number[] }>([
    { title: 'a number is steps of a turn', limit: 3, steps: [3, 3] },
    { title: 'a conversation has one count', limit: { max: 3, scope: 'conversation' }, steps: [3, 0] },
    { title: 'zero lets nothing begin', limit: 0, steps: [0, 0] },
  ])('$title', async ({ limit, steps }) => {
    const chat = createAgent({ model: working(), tools: [work], use: [stepLimit(limit)] }).conversation()
    for (const count of steps) {
      const result = await chat.send('go')
      expect(result).toMatchObject({ status: 'stopped', by: 'step-limit', steps: count })
    }
  })

  test('a turn that is done at the limit is completed', async () => {
    const model = scriptedModel([{ calls: [{ name: 'work' }] }, 'done'])
    const result = await createAgent({ model, tools: [work], use: [stepLimit(2)] }).send('go')
    expect(result).toMatchObject({ status: 'completed', text: 'done' })
  })

  test('a rewind gives no step back', async () => {
    const back = middleware({ name: 'back', afterDecide: () => rewind(0) })
    const result = await createAgent({
      model: working(),
      tools: [work],
      breaker: false,
      use: [back, stepLimit(4)],
    }).send('go')
    expect(result).toMatchObject({ status: 'stopped', reason: '4 steps', steps: 4 })
  })

  test('a fork has the same count as its conversation', async () => {
    const limit = stepLimit({ max: 3, scope: 'conversation' })
    const chat = createAgent({ model: working(), tools: [work], use: [limit] }).conversation()
    await chat.send('go')
    expect(await chat.fork(null).send('again')).toMatchObject({ status: 'stopped', steps: 0 })
  })

  test("hooks' own model calls count when asked for", async () => {
    const judge = scriptedModel(['no'], { repeat: true })
    const critic = middleware({
      name: 'critic',
      afterDecide: async ctx => again((await ctx.generate(judge, 'good?')).text),
    })
    const model = scriptedModel(['draft'], { repeat: true })
    const use = [critic, stepLimit({ max: 5, generate: true, say: 'That is all.' })]
    const result = await createAgent({ model, use }).send('go')
    expect(result).toMatchObject({ status: 'stopped', steps: 3, text: 'That is all.' })
    expect(judge.prompts).toHaveLength(2)
  })

  test('what is no number is refused when the agent is made', () => {
    expect(() => stepLimit(Number.NaN)).toThrow('stepLimit: max must be a number')
  })
})
