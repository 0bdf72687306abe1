import { createAgent, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { MiddlewareSwitches } from './middleware-switches.ts'

const agentWith = (...names: string[]) =>
  createAgent({ model: scriptedModel([]), breaker: false, use: names.map(name => middleware({ name })) })
const off = { name: 'x', enabled: false, by: 'ada', at: 1 }

test('switches survive a restart, those of a middleware that is gone included', async () => {
  const store = memoryStore()
  const first = new MiddlewareSwitches(agentWith('x', 'y'), store)
  await first.switch(off)
  await first.switch({ ...off, name: 'y' })
  const agent = agentWith('x')
  const second = new MiddlewareSwitches(agent, store)
  await second.refresh()
  expect(agent.middleware).toMatchObject([{ name: 'x', enabled: false }])
  expect(second.last({ name: 'y' })).toMatchObject({ by: 'ada' })
})

test('a switch for a conversation that is as for everyone is taken back', async () => {
  const store = memoryStore()
  const agent = agentWith('x')
  const switches = new MiddlewareSwitches(agent, store)
  await switches.switch({ ...off, conversationId: 'c' })
  expect(switches.last({ name: 'x', conversationId: 'c' })).toMatchObject({ enabled: false })
  await switches.switch({ ...off, enabled: true, conversationId: 'c' })
  expect(switches.last({ name: 'x', conversationId: 'c' })).toBeUndefined()
  expect(agent.middleware[0]).not.toHaveProperty('inConversations')
})

test('the switches of a deleted conversation are forgotten, those for everyone stay', async () => {
  const store = memoryStore()
  const switches = new MiddlewareSwitches(agentWith('x'), store)
  await switches.switch({ ...off, conversationId: 'c' })
  await switches.switch({ ...off, at: 2 })
  await switches.forget('c')
  expect(switches.last({ name: 'x', conversationId: 'c' })).toBeUndefined()
  expect(switches.last({ name: 'x' })).toMatchObject({ at: 2 })
  expect(await store.entries('server.middleware')).toHaveLength(1)
})
