import { createAgent, middleware, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { instructions } from './instructions.ts'
import { trim } from './trim.ts'

const silence = (guard: boolean) =>
  middleware({
    name: 'silence',
    guard,
    beforeModel(ctx) {
      ctx.prompt.messages = []
    },
  })

describe('a prompt whose messages wait to be read', () => {
  test.each([
    { name: 'as it comes', use: [] },
    { name: 'changed', use: [instructions('Short.')] },
    { name: 'rewritten', use: [trim()] },
  ])('a guard cannot change its messages: $name', async ({ use }) => {
    const model = scriptedModel(['done'])
    const result = await createAgent({ model, use: [...use, silence(true)] }).send('hi').settled
    expect(result).toMatchObject({ status: 'failed', by: 'silence' })
    expect(model.prompts).toHaveLength(0)
  })

  test('nor add to them', async () => {
    const model = scriptedModel(['done'])
    const adds = middleware({
      name: 'adds',
      guard: true,
      beforeModel: ctx => void (ctx.prompt.messages as unknown[]).push({ id: 'x', role: 'user', content: [] }),
    })
    expect(await createAgent({ model, use: [adds] }).send('hi').settled).toMatchObject({ status: 'failed', by: 'adds' })
  })

  test.each([{ use: [] }, { use: [instructions('Short.')] }, { use: [trim()] }])(
    'others can ($use.length)',
    async ({ use }) => {
      const model = scriptedModel(['done'])
      await createAgent({ model, use: [...use, silence(false)] }).send('hi')
      expect(model.prompts[0]?.messages).toEqual([])
    },
  )

  test.each([{ use: [instructions('Short.')] }, { use: [trim({ maxMessages: 1 })] }])(
    'what a hook behind it edits in the history is among them ($use.0.name)',
    async ({ use }) => {
      const model = scriptedModel(['done'])
      const edits = middleware({
        name: 'edits',
        beforeModel: ctx => ctx.messages.append({ role: 'user', content: 'Quick.' }),
      })
      await createAgent({ model, use: [...use, edits] }).send('hi')
      expect(textOf(model.prompts[0]?.messages.at(-1))).toBe('Quick.')
    },
  )

  test('a copy has them', async () => {
    const model = scriptedModel(['done'])
    const copy = middleware({
      name: 'copy',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, params: { seed: 1 } }
      },
    })
    await createAgent({ model, use: [instructions('Short.'), copy] }).send('hi')
    expect(model.prompts[0]).toMatchObject({
      instructions: 'Short.',
      params: { seed: 1 },
      messages: [{ role: 'user' }],
    })
  })
})
