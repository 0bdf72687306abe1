import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { instructions, type WriteInstructions } from './instructions.ts'

describe('instructions', () => {
  test.each<{ name: string; base: string; write: string | WriteInstructions; sent: string }>([
    { name: 'text is added', base: 'Base.', write: 'More.', sent: 'Base.\n\nMore.' },
    { name: 'text stands alone', base: '', write: 'More.', sent: 'More.' },
    { name: 'it can be written for the call', base: '', write: ctx => `Step ${ctx.step}.`, sent: 'Step 0.' },
    { name: 'it may take time', base: '', write: async () => 'Later.', sent: 'Later.' },
    { name: 'nothing adds nothing', base: 'Base.', write: () => undefined, sent: 'Base.' },
  ])('$name', async ({ base, write, sent }) => {
    const model = scriptedModel(['done'])
    await createAgent({ model, instructions: base, use: [instructions(write)] }).send('hi')
    expect(model.prompts[0]?.instructions).toBe(sent)
  })

  test('each call has its own', async () => {
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'done'])
    const look = tool({ name: 'look', run: () => 'x' })
    await createAgent({ model, tools: [look], use: [instructions(ctx => `Step ${ctx.step}.`)] }).send('hi')
    expect(model.prompts.map(prompt => prompt.instructions)).toEqual(['Step 0.', 'Step 1.'])
  })

  test('its failure fails the model call', async () => {
    const broken = instructions(() => {
      throw new Error('no clock')
    })
    const result = await createAgent({ model: scriptedModel(['done']), use: [broken] }).send('hi').settled
    expect(result).toMatchObject({ status: 'failed', by: 'instructions' })
  })
})
