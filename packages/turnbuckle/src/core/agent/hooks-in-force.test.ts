import { createAgent, middleware, performancePipeline, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { traced } from '../../../test/support/traced.ts'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ calls: [{ name: 'look' }] }, 'Done'], { repeat: true })
const hi = () => scriptedModel(['Hi'], { repeat: true })
const noting = (name: string, order: string[], guard = false) =>
  middleware({ name, guard, beforeModel: () => void order.push(name) })

test('disable and enable take effect at the next stage, never half', async () => {
  const order: string[] = []
  const off = middleware({
    name: 'off',
    priority: 1,
    beforeModel(ctx) {
      if (ctx.step === 0) ctx.agent.disable('traced')
    },
    afterTools: ctx => ctx.agent.enable('traced'),
  })
  const agent = createAgent({ model: looks(), tools: [look], use: [off, traced('traced', order)] })
  await agent.send('Go')
  // Switched off inside the first model stage: that one is whole.
  expect(order).toEqual([...Array(2)].flatMap(() => ['before traced', 'in traced', 'out traced', 'after traced']))
})

test('middleware of one turn holds in that turn alone, after the agent’s', async () => {
  const order: string[] = []
  const agent = createAgent({ model: hi(), use: [noting('own', order)] })
  const chat = agent.conversation()
  await chat.send('Go', { use: [noting('turn', order)] })
  await chat.send('On')
  expect(order).toEqual(['own', 'turn', 'own'])
})

test('middleware that is registered in the middle of a turn with its own holds beside it', async () => {
  const order: string[] = []
  const registers = middleware({
    name: 'registers',
    afterTools: ctx => void ctx.agent.use(noting('late', order)),
  })
  const agent = createAgent({ model: looks(), tools: [look], use: [registers] })
  await agent.send('Go', { use: [noting('turn', order)] })
  expect(order).toEqual(['turn', 'late', 'turn'])
})

test('a sub-agent has the guards of its caller, and no other of its hooks', async () => {
  const order: string[] = []
  const child = createAgent({ model: hi(), use: [noting('child', order)] })
  const model = scriptedModel([{ calls: [{ name: 'child', args: { task: 'Go' } }] }, 'Done'])
  const use = [noting('hook', order), noting('guard', order, true)]
  await createAgent({ model, tools: [agentTool(child, { name: 'child' })], use }).send('Go')
  expect(order).toEqual(['hook', 'guard', 'child', 'guard', 'hook', 'guard'])
})

test('in a pipeline without hooks the guards hold, those of one turn included', async () => {
  const order: string[] = []
  const agent = createAgent({ model: hi(), use: [noting('guard', order, true)], pipeline: performancePipeline() })
  await agent.send('Go', { use: [noting('hook', order), noting('turn guard', order, true)] })
  expect(order).toEqual(['guard', 'turn guard'])
})
