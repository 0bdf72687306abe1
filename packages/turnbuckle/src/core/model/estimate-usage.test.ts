import { createAgent, type Message, middleware, type Usage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { countTokens } from './estimate-tokens.ts'
import { estimateUsage } from './estimate-usage.ts'

const reply: Message = { id: 'r', role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(40) }] }
const tokensOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + countTokens(message), 0)

test('input is the whole path, the instructions and the tools; output is the reply', async () => {
  const seen: Usage[] = []
  const look = middleware({ name: 'look', beforeModel: ctx => void seen.push(estimateUsage(ctx, reply)) })
  const model = scriptedModel(['One', 'Two'])
  const chat = createAgent({ model, instructions: 'x'.repeat(41), use: [look] }).conversation()
  await chat.send('Hi')
  await chat.send('Again')
  // 11 for the instructions; an empty list of tools is the two characters of its JSON.
  const sent = model.prompts.map(({ messages }) => ({ inputTokens: tokensOf(messages) + 11 + 1, outputTokens: 14 }))
  expect(seen).toEqual(sent)
})

test('messages that a hook left out of the prompt count', async () => {
  const seen: Usage[] = []
  const trim = middleware({
    name: 'trim',
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, messages: ctx.prompt.messages.slice(-1) }
      seen.push(estimateUsage(ctx, reply))
    },
  })
  const chat = createAgent({ model: scriptedModel(['One', 'Two']), use: [trim] }).conversation()
  await chat.send('Hi')
  await chat.send('Again')
  expect(seen[1]?.inputTokens).toBe(tokensOf(chat.messages.slice(0, 3)) + 1)
})

test('a path that goes on elsewhere is counted anew', async () => {
  const seen: number[] = []
  const look = middleware({ name: 'look', beforeModel: ctx => void seen.push(estimateUsage(ctx, reply).inputTokens) })
  const model = scriptedModel(['One', 'Two', 'Three'])
  const chat = createAgent({ model, use: [look] }).conversation()
  await chat.send('Hi')
  await chat.send('A much longer message than the one that takes its place')
  const [, first] = chat.messages
  chat.checkout(first?.id ?? '')
  await chat.send('Short')
  expect(seen).toEqual(model.prompts.map(({ messages }) => tokensOf(messages) + 1))
})
