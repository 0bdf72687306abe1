import { createAgent, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type RefineOptions, refine } from './refine.ts'

describe('refine', () => {
  test.each<{ name: string; options: RefineOptions; answers: string[]; text: string; calls: number }>([
    { name: 'once by default', options: {}, answers: ['one', 'two', 'three'], text: 'two', calls: 2 },
    { name: 'as often as asked', options: { rounds: 2 }, answers: ['one', 'two', 'three'], text: 'three', calls: 3 },
    { name: 'not at all', options: { rounds: 0 }, answers: ['one'], text: 'one', calls: 1 },
    {
      name: 'until it no longer changes',
      options: { rounds: 5 },
      answers: ['one', 'two', 'two'],
      text: 'two',
      calls: 3,
    },
    {
      name: 'until it is good enough',
      options: { rounds: 5, until: reply => textOf(reply) === 'two' },
      answers: ['one', 'two'],
      text: 'two',
      calls: 2,
    },
    {
      name: 'a check that throws lets the answer stand',
      options: { until: () => Promise.reject(new Error('x')) },
      answers: ['one'],
      text: 'one',
      calls: 1,
    },
  ])('$name', async ({ options, answers, text, calls }) => {
    const model = scriptedModel(answers)
    expect(await createAgent({ model, use: [refine(options)] }).send('hi')).toMatchObject({ status: 'completed', text })
    expect(model.prompts).toHaveLength(calls)
  })

  test('the model is told what to do', async () => {
    const model = scriptedModel(['one', 'two'])
    await createAgent({ model, use: [refine({ message: 'Shorter.' })] }).send('hi')
    expect(model.prompts[1]?.messages.map(textOf)).toEqual(['hi', 'one', 'Shorter.'])
  })
})
