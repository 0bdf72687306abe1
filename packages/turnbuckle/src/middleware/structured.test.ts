import { createAgent, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { readStructured, structured } from './structured.ts'

const Weather = z.object({ city: z.string(), celsius: z.number() })
const good = '{"city":"Oslo","celsius":3}'

describe('structured', () => {
  test.each([
    { name: 'an answer that fits', answers: [good], status: 'completed', calls: 1 },
    { name: 'in a code block', answers: [`\`\`\`json\n${good}\n\`\`\``], status: 'completed', calls: 1 },
    { name: 'no JSON, then repaired', answers: ['Cold.', good], status: 'completed', calls: 2 },
    {
      name: 'a wrong type, then repaired',
      answers: ['{"city":"Oslo","celsius":"3"}', good],
      status: 'completed',
      calls: 2,
    },
    { name: 'repaired at the last chance', answers: ['{}', '[]', good], status: 'completed', calls: 3 },
    { name: 'never', answers: ['a', 'b', 'c'], status: 'failed', calls: 3 },
  ])('$name', async ({ answers, status, calls }) => {
    const model = scriptedModel(answers)
    const seen: unknown[] = []
    const agent = createAgent({ model, use: [structured(Weather, { onValue: value => seen.push(value) })] })
    const result = await agent.send('Weather?').settled
    expect(result.status).toBe(status)
    expect(model.prompts).toHaveLength(calls)
    expect(seen).toEqual(status === 'completed' ? [{ city: 'Oslo', celsius: 3 }] : [])
    if (status === 'failed') expect(result.error).toMatchObject({ code: 'structured.invalid' })
  })

  test('the caller reads it, typed', async () => {
    const result = await createAgent({ model: scriptedModel([good]), use: [structured(Weather)] }).send('Weather?')
    const value = await readStructured(result, Weather)
    expectTypeOf(value).toEqualTypeOf<{ city: string; celsius: number }>()
    expect(value).toEqual({ city: 'Oslo', celsius: 3 })
    await expect(readStructured({ text: '{}' }, Weather)).rejects.toMatchObject({ code: 'structured.invalid' })
  })

  test('the model is told the schema, and what does not fit', async () => {
    const model = scriptedModel(['{"city":1}', good])
    await createAgent({ model, use: [structured(Weather)] }).send('Weather?')
    expect(model.prompts[0]?.instructions).toContain('"celsius":{"type":"number"}')
    expect(model.prompts[0]?.params).toMatchObject({ responseFormat: { type: 'json', schema: { type: 'object' } } })
    expect(textOf(model.prompts[1]?.messages.at(-1))).toMatch(/city: .*; celsius: /)
  })

  test('a step that calls tools is no answer yet', async () => {
    const look = tool({ name: 'look', run: () => 3 })
    const model = scriptedModel([{ text: 'Let me see.', calls: [{ name: 'look' }] }, good])
    const result = await createAgent({ model, tools: [look], use: [structured(Weather)] }).send('Weather?')
    expect(result).toMatchObject({ status: 'completed', text: good, steps: 2 })
  })

  test('a schema that throws fails the turn', async () => {
    const broken = z.unknown().transform(() => {
      throw new Error('boom')
    })
    const agent = createAgent({ model: scriptedModel([good]), use: [structured(broken, { jsonSchema: {} })] })
    expect(await agent.send('Weather?').settled).toMatchObject({ status: 'failed', by: 'structured' })
  })
})
