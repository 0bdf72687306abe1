import { createAgent, tool } from 'turnbuckle'
import { type FinishReasonOptions, finishReason } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('finishReason', () => {
  test.each<{ finish: string; rules?: FinishReasonOptions['rules']; status: string; steps: number }>([
    { finish: 'stop', status: 'completed', steps: 1 },
    { finish: 'length', status: 'completed', steps: 2 },
    { finish: 'content-filter', status: 'stopped', steps: 1 },
    { finish: 'error', status: 'failed', steps: 1 },
    { finish: 'length', rules: { length: 'ignore' }, status: 'completed', steps: 1 },
    { finish: 'other', rules: { other: 'stop' }, status: 'stopped', steps: 1 },
    { finish: 'constructor', status: 'completed', steps: 1 },
  ])('$finish with $rules: $status', async ({ finish, rules, status, steps }) => {
    const model = scriptedModel([{ text: 'one', finish }, 'two'])
    const result = await createAgent({ model, use: [finishReason(rules ? { rules } : {})] }).send('go').settled
    expect([result.status, result.steps]).toEqual([status, steps])
  })

  test('it asks for more only so often', async () => {
    const model = scriptedModel([{ text: 'part', finish: 'length' }], { repeat: true })
    const result = await createAgent({ model, use: [finishReason({ rounds: 2 })] }).send('go')
    expect([result.status, result.steps]).toEqual(['completed', 3])
  })

  test('finish ends a turn that wants more tools', async () => {
    const work = tool({ name: 'work', run: () => 1 })
    const model = scriptedModel([{ calls: [{ name: 'work' }], finish: 'budget' }])
    const use = [finishReason({ rules: { budget: 'finish' } })]
    const result = await createAgent({ model, tools: [work], use }).send('go')
    expect(result).toMatchObject({ status: 'completed', reason: 'the model ended: budget', by: 'finish-reason' })
  })
})
