import { agentTool, createAgent, type Message, textOf, tool } from 'turnbuckle'
import {
  applyEvent,
  type ConversationState,
  conversationState,
  createClient,
  type SocketConstructor,
} from 'turnbuckle/client'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { gate, serve } from '../../test/serve.ts'

test('who follows a conversation sees its sub-agents at work, also one who comes late', async () => {
  const look = gate<string>()
  const scout = createAgent({
    name: 'scout',
    model: scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'inner' }] }, 'I saw it.']),
    tools: [tool({ name: 'look', run: () => look.opened })],
  })
  const server = await serve({
    model: scriptedModel([{ calls: [{ name: 'scout', id: 'outer', args: { task: 'Look.' } }] }, 'Done.']),
    tools: [agentTool(scout, { name: 'scout' })],
  })
  const client = createClient({
    url: server.url,
    token: 'secret',
    WebSocket: WebSocket as unknown as SocketConstructor,
  })
  onTestFinished(() => client.close())
  const { id } = await client.createConversation()
  const follow = async () => {
    let state = conversationState(await client.conversation(id))
    let check = () => {}
    client.follow(id, {
      after: state.seq,
      onEvent(event) {
        state = applyEvent(state, event)
        check()
      },
    })
    return (test: (state: ConversationState) => boolean) =>
      new Promise<ConversationState>(resolve => {
        check = () => {
          if (test(state)) resolve(state)
        }
        check()
      })
  }
  const works = ({ agents }: ConversationState) =>
    [...agents.values()].some(({ state }) => [...state.calls.values()].some(({ status }) => status === 'executing'))
  const early = await follow()
  await client.send(id, { text: 'Go' })
  await early(works)
  const late = await follow()
  for (const until of [early, late]) {
    const [inside] = (await until(works)).agents.values()
    expect(inside).toMatchObject({ agent: 'scout', callId: 'outer' })
    const texts = [...(inside?.state.nodes.values() ?? [])].map(({ message }) => message.role)
    expect(texts).toEqual(['user', 'assistant'])
  }
  look.open('seen')
  const ended = await late(({ turns, tips }) => turns.size > 0 && tips.size === 0)
  expect(ended.agents.size).toBe(0)
})

test('who opens the conversation of a sub-agent that writes gets its text so far, and the rest as it comes', async () => {
  const store = memoryStore()
  const rest = gate<string>()
  const scout = createAgent({
    name: 'scout',
    store,
    model: {
      id: 'slow',
      async *stream() {
        yield { type: 'text', text: 'I saw ' }
        yield { type: 'text', text: await rest.opened }
      },
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'scout', id: 'outer', args: { task: 'Look.' } }] }, 'Done.'])
  const server = await serve({ model, store, tools: [agentTool(scout, { name: 'scout' })] }, { store })
  const id = await server.newConversation()
  const caller = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })
  await caller.until(({ type, event }) => type === 'agent.event' && event.text === 'I saw ')
  const { agentConversationId } = await caller.until(({ type }) => type === 'agent.started')
  const follower = await server.follow(agentConversationId)
  expect(await follower.until(({ type }) => type === 'message.text')).toMatchObject({ text: 'I saw ', offset: 0 })
  rest.open('it.')
  expect(await follower.until(({ type }) => type === 'message.delta')).toMatchObject({ text: 'it.', offset: 6 })
  await follower.until(({ type }) => type === 'turn.completed')
  const inside = await server.call('GET', `/api/conversations/${agentConversationId}`)
  expect(inside.body.nodes.map(({ message }: { message: Message }) => textOf(message))).toEqual(['Look.', 'I saw it.'])
  expect(inside.body.head).toBe(inside.body.nodes[1].id)
  const { body } = await server.call('GET', `/api/conversations/${id}`)
  expect(body.calls).toMatchObject([{ callId: 'outer', agent: { name: 'scout', conversationId: agentConversationId } }])
})

test('who opens the conversation of a sub-agent late sees those below it at work', async () => {
  const store = memoryStore()
  const rest = gate<string>()
  const diver = createAgent({
    name: 'diver',
    store,
    model: {
      id: 'slow',
      async *stream() {
        yield { type: 'text', text: 'Deep ' }
        yield { type: 'text', text: await rest.opened }
      },
    },
  })
  const callsDiver = { calls: [{ name: 'diver', id: 'inner', args: { task: 'Dive.' } }] }
  const scout = createAgent({
    name: 'scout',
    store,
    model: scriptedModel([callsDiver, 'It is deep.']),
    tools: [agentTool(diver, { name: 'diver' })],
  })
  const model = scriptedModel([{ calls: [{ name: 'scout', id: 'outer', args: { task: 'Look.' } }] }, 'Done.'])
  const server = await serve({ model, store, tools: [agentTool(scout, { name: 'scout' })] }, { store })
  const id = await server.newConversation()
  const caller = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })
  await caller.until(({ event }) => event?.event?.text === 'Deep ')
  const { agentConversationId: scouts } = await caller.until(({ type }) => type === 'agent.started')
  const follower = await server.follow(scouts)
  const { agentConversationId: divers } = await follower.until(({ event }) => event?.text === 'Deep ')
  await follower.until(({ event }) => event?.type === 'message.added' && event.role === 'user')
  const below = await server.follow(divers)
  expect(await below.until(({ type }) => type === 'message.text')).toMatchObject({ text: 'Deep ' })
  rest.open('down.')
  for (const heard of [
    follower.until(({ event }) => event?.text === 'down.'),
    below.until(({ text }) => text === 'down.'),
  ])
    await heard
  await caller.until(({ type }) => type === 'turn.completed')
})
