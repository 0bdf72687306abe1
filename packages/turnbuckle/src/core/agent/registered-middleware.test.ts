import { createAgent, middleware, pipeline, stage, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { traced } from '../../../test/support/traced.ts'

const hi = () => scriptedModel(['Hi'], { repeat: true })
const look = tool({ name: 'look', run: () => 'seen' })
test('use registers, and its remover removes', async () => {
  const order: string[] = []
  const agent = createAgent({ model: hi(), breaker: false })
  const remove = agent.use(traced('late', order, { priority: 7 }))
  expect(agent.middleware).toEqual([{ name: 'late', enabled: true, priority: 7, guard: false }])
  await agent.send('Go')
  expect(order).toHaveLength(4)
  remove()
  remove()
  expect(agent.middleware).toEqual([])
  await agent.send('Go')
  expect(order).toHaveLength(4)
})

test('a list of which one does not fit is not registered at all', () => {
  const agent = createAgent({ model: hi(), breaker: false })
  const misspelled = middleware({ name: 'b', beforeTol: () => {} } as never)
  expect(() => agent.use([middleware({ name: 'a' }), misspelled])).toThrow('Did you mean "beforeTool"?')
  expect(() => agent.use([middleware({ name: 'a' }), middleware({ name: 'a' })])).toThrow('another name')
  expect(agent.middleware).toEqual([])
})

test('a switch for one conversation counts there alone, and more than the one for everyone', async () => {
  const order: string[] = []
  const agent = createAgent({ model: hi(), use: [traced('x', order)] })
  const [one, other] = [agent.conversation('one'), agent.conversation('other')]
  const seen: unknown[] = []
  one.subscribe(event => event.type === 'middleware.changed' && seen.push(event))
  other.subscribe(event => event.type === 'middleware.changed' && seen.push(event))
  const runs = async (chat: typeof one) => {
    order.length = 0
    await chat.send('Go')
    return order.length > 0
  }
  agent.disable('x', 'one')
  expect([await runs(one), await runs(other)]).toEqual([false, true])
  expect(agent.middleware.find(({ name }) => name === 'x')).toMatchObject({
    enabled: true,
    inConversations: { one: false },
  })
  expect(seen).toMatchObject([{ conversationId: 'one', name: 'x', enabled: false, only: true }])
  agent.enable('x', 'one')
  expect(await runs(one)).toBe(true)
  agent.disable('x')
  agent.enable('x', 'one')
  expect([await runs(one), await runs(other)]).toEqual([true, false])
  const brings = createAgent({ model: hi(), use: [middleware({ name: 'brings', provides: [look] })] })
  expect(() => brings.disable('brings', 'one')).toThrow('switch it for everyone')
})

test('hooks of whenOff run while their middleware is off, and only then', async () => {
  const order: string[] = []
  const kept = middleware({
    name: 'kept',
    beforeModel: () => void order.push('on'),
    whenOff: { beforeModel: () => void order.push('off') },
  })
  const agent = createAgent({ model: hi(), use: [kept] })
  await agent.send('Go')
  agent.disable('kept')
  await agent.send('Go')
  agent.enable('kept')
  agent.disable('kept', 'one')
  await agent.conversation('one').send('Go')
  expect(order).toEqual(['on', 'off', 'off'])
  const wrong = { name: 'wrong', whenOff: { beforeModle: () => {} } } as never
  expect(() => agent.use(middleware(wrong))).toThrow('beforeModel')
})

describe('the hooks of an agent', () => {
  const beforeTool = () => {}
  const use = [
    middleware({ name: 'late', priority: 200, beforeTool, afterTool: beforeTool }),
    middleware({ name: 'guard', guard: true, beforeTool, afterTool: beforeTool }),
    middleware({ name: 'usual', beforeTool, afterTool: beforeTool, onChunk: () => {} }),
  ]
  const names = (hooks: readonly { middleware: string }[]) => hooks.map(hook => hook.middleware)

  test('are listed by point, in the order they run', () => {
    const agent = createAgent({ model: hi(), use, breaker: false })
    agent.disable('late')
    expect(agent.hooks('beforeTool')).toEqual([
      { point: 'beforeTool', middleware: 'usual', priority: 100, guard: false, enabled: true },
      { point: 'beforeTool', middleware: 'late', priority: 200, guard: false, enabled: false },
      { point: 'beforeTool', middleware: 'guard', priority: 100, guard: true, enabled: true },
    ])
    expect(names(agent.hooks('afterTool'))).toEqual(['guard', 'late', 'usual'])
    expect(names(agent.hooks('onChunk'))).toEqual(['usual'])
    expect(agent.hooks('wrapModel')).toEqual([])
    expect(agent.hooks().map(({ point, middleware }) => `${point} ${middleware}`)).toEqual([
      ...['beforeTool usual', 'beforeTool late', 'beforeTool guard'],
      ...['afterTool guard', 'afterTool late', 'afterTool usual', 'onChunk usual'],
    ])
  })

  test('a point that there is not is an error with the right name in it', () => {
    const agent = createAgent({
      model: hi(),
      pipeline: pipeline().after('model', stage({ name: 'own', run: () => {} })),
    })
    expect(agent.hooks('beforeOwn')).toEqual([])
    expect(() => agent.hooks('beforeTol')).toThrow('There is no hook point "beforeTol". Did you mean "beforeTool"?')
  })
})
