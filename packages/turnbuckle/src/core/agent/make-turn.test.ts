import { createAgent, middleware, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'

test('a message that the caller changes after it was sent is recorded as it was sent', async () => {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }
  const turn = createAgent({ model: scriptedModel(['Done']) }).send(message)
  for (const part of message.content) part.text = 'Stay'
  expect(textOf((await turn).messages[0])).toBe('Go')
})

test('continue goes on from the head without a message, also on a branch', async () => {
  const inputs: unknown[] = []
  const sees = middleware({ name: 'sees', beforeInput: ctx => void inputs.push(ctx.message.content) })
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const chat = createAgent({ model, use: [sees] }).conversation('c')
  expect(() => chat.continue()).toThrow('Send a message first')
  await chat.send('Go')
  const { text, status } = await chat.continue()
  expect([text, status]).toEqual(['Two.', 'completed'])
  const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role)
  expect(roles(chat.messages)).toEqual(['user', 'assistant', 'assistant'])
  expect(model.prompts.map(({ messages }) => roles(messages))).toEqual([['user'], ['user', 'assistant']])
  const again = chat.fork(chat.tree[0]?.id)
  await again.continue()
  expect(again.messages.map(({ content }) => (content[0] as { text: string }).text)).toEqual(['Go', 'Three.'])
  expect(inputs).toHaveLength(1)
})

test('a message that is refused makes no turn, and the handle is free', async () => {
  const chat = createAgent({ model: scriptedModel(['Hi']) }).conversation()
  expect(codeOf(() => chat.send({ role: 'assistant', content: 'Hi' }))).toBe('message.invalid')
  expect(chat.messages).toEqual([])
  expect((await chat.send('Go')).text).toBe('Hi')
})
