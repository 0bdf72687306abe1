import { createAgent, goto, middleware, pipeline, rewind, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: ({ at }: { at: number }) => `seen ${at}` })
const calls = [1, 2].map(at => ({ name: 'look', args: { at } }))
const statuses = (messages: readonly { content: readonly { type: string }[] }[]) =>
  messages.flatMap(({ content }) => content.flatMap(part => ('status' in part ? [part.status] : [])))

test('calls that a jump leaves behind get a result, in call order', async () => {
  const past = middleware({ name: 'past', beforeTools: ctx => (ctx.step ? undefined : goto('decide')) })
  const model = scriptedModel([{ calls }, 'Well.'])
  const { messages } = await createAgent({ model, tools: [look], use: [past] }).send('Go.')
  expect(statuses(messages)).toEqual(['blocked', 'blocked'])
})

test('calls of a pipeline without tools get a result before the next step', async () => {
  const model = scriptedModel([{ calls }, 'Well.'])
  const agent = createAgent({ model, tools: [look], pipeline: pipeline().remove('tools'), maxSteps: 2 })
  const { messages } = await agent.send('Go.').settled
  expect(statuses(messages)).toHaveLength(2)
})

test('a call that was finished keeps its result when a hook goes back', async () => {
  const back = middleware({
    name: 'back',
    scope: 'conversation',
    state: { done: false },
    afterTools(ctx) {
      if (ctx.state.done) return
      ctx.update(() => ({ done: true }))
      return rewind(0, 'Again.')
    },
  })
  const chat = createAgent({ model: scriptedModel([{ calls }, 'Well.']), tools: [look], use: [back] }).conversation()
  await chat.send('Go.')
  expect(statuses(chat.tree.map(({ message }) => message))).toEqual(['ok', 'ok'])
})

test('a result that a hook fails to let through is recorded without its value', async () => {
  const refuses = middleware({
    name: 'refuses',
    guard: true,
    beforeAppend(ctx) {
      if (ctx.message.role === 'tool') throw new Error('no')
    },
  })
  const chat = createAgent({ model: scriptedModel([{ calls }]), tools: [look], use: [refuses] }).conversation()
  await chat.send('Go.').settled
  expect(JSON.stringify(chat.tree)).not.toContain('seen')
  expect(statuses(chat.messages)).toHaveLength(2)
})
