import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ValidateInputOptions, validateInput } from './validate-input.ts'

const file = (mediaType: string) => ({ type: 'file' as const, mediaType, data: '' })
const text = (value: string) => ({ type: 'text' as const, text: value })

test.each<{
  options: ValidateInputOptions
  content: (ReturnType<typeof file> | ReturnType<typeof text>)[]
  reason?: RegExp
}>([
  { options: { maxLength: 3 }, content: [text('abc')] },
  { options: { maxLength: 3 }, content: [text('abcd')], reason: /4 characters; 3 are allowed/ },
  { options: { minLength: 1 }, content: [text('')], reason: /at least 1/ },
  { options: { pattern: /^\d+$/g }, content: [text('12')] },
  { options: { pattern: /^\d+$/ }, content: [text('x')], reason: /expected form/ },
  { options: { schema: z.string().startsWith('Q:') }, content: [text('hi')], reason: /Q:/ },
  { options: { mediaTypes: ['image/*'] }, content: [file('image/png')] },
  { options: { mediaTypes: ['image/*'] }, content: [file('application/pdf')], reason: /application\/pdf/ },
  { options: { maxFiles: 1 }, content: [file('a/b'), file('a/b')], reason: /2 files; 1/ },
  { options: { check: async ({ role }) => `not ${role}` }, content: [text('')], reason: /not user/ },
])('$options', async ({ options, content, reason }) => {
  const model = scriptedModel(['ok'])
  const result = await createAgent({ model, use: [validateInput(options)] }).send({ role: 'user', content })
  if (!reason) expect(result.status).toBe('completed')
  else {
    expect(result).toMatchObject({
      status: 'stopped',
      by: 'validate-input',
      reason: expect.stringMatching(reason),
      messages: [],
    })
    expect(model.prompts).toHaveLength(0)
  }
})

test('an answer to a bad message is recorded with it', async () => {
  const guard = validateInput({ maxLength: 1, say: problem => `Shorter, please. ${problem}` })
  const { text: said, messages } = await createAgent({ model: scriptedModel([]), use: [guard] }).send('long')
  expect(said).toMatch(/^Shorter, please\. The message has 4/)
  expect(messages).toHaveLength(2)
})

test('it looks at the message as others have changed it', async () => {
  const shorten = middleware({
    name: 'shorten',
    beforeInput(ctx) {
      ctx.message = { ...ctx.message, content: [text('ab')] }
    },
  })
  const use = [validateInput({ maxLength: 2 }), shorten]
  expect((await createAgent({ model: scriptedModel(['ok']), use }).send('abcdef')).status).toBe('completed')
})

test('a check that throws fails the turn', async () => {
  const model = scriptedModel(['ok'])
  const broken = validateInput({
    check() {
      throw new Error('broken')
    },
  })
  expect((await createAgent({ model, use: [broken] }).send('hi').settled).status).toBe('failed')
  expect(model.prompts).toHaveLength(0)
})
