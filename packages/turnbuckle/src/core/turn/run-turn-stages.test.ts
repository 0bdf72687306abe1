import {
  again,
  createAgent,
  type Directive,
  type DirectiveType,
  goto,
  middleware,
  rewind,
  stop,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test.each<{ type: DirectiveType; directive: Directive<'goto' | 'rewind' | 'again'> }>([
  { type: 'goto', directive: goto('model') },
  { type: 'rewind', directive: rewind(0) },
  { type: 'again', directive: again('More.') },
])('$type alone ends after the shared cap, as stopped', async ({ type, directive }) => {
  const loops = middleware({ name: 'loops', afterDecide: () => directive })
  const agent = createAgent({ model: scriptedModel(['Hm'], { repeat: true }), use: [loops], maxSteps: Infinity })
  const turn = agent.send('Go')
  expect(await turn).toMatchObject({ status: 'stopped', reason: '100 jumps', by: 'maxJumps', steps: 101 })
  expect(turn.explain().filter(decision => decision.directive === type && decision.won)).toHaveLength(100)
})

test('goto inside a step counts for the same cap', async () => {
  const loops = middleware({ name: 'loops', afterModel: () => goto('model') })
  const agent = createAgent({ model: scriptedModel(['Hm'], { repeat: true }), use: [loops], maxSteps: Infinity })
  expect(await agent.send('Go')).toMatchObject({ status: 'stopped', reason: '100 jumps' })
})

test('the step limit ends a turn that goes on for ever; Infinity removes it', async () => {
  const look = tool({ name: 'look', run: () => 'x' })
  const endless = () =>
    scriptedModel([({ messages }) => ({ calls: [{ name: 'look', args: { n: messages.length } }] })], { repeat: true })
  expect(await createAgent({ model: endless(), tools: [look] }).send('Go')).toMatchObject({
    status: 'stopped',
    reason: '50 steps',
    by: 'maxSteps',
    steps: 50,
  })
  const later = middleware({ name: 'later', beforeStep: ctx => (ctx.step === 70 ? stop('70') : undefined) })
  const unlimited = createAgent({ model: endless(), tools: [look], use: [later], maxSteps: Infinity })
  expect(await unlimited.send('Go')).toMatchObject({ reason: '70', steps: 70 })
})
