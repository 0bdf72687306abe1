import { agentTool, createAgent, tool } from 'turnbuckle'
import {
  applyEvent,
  type ConversationState,
  conversationState,
  createClient,
  type SocketConstructor,
} from 'turnbuckle/client'
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
