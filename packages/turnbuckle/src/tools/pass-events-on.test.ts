import { agentTool, createAgent, type Event, middleware, tool } from 'turnbuckle'
import { ConversationView } from 'turnbuckle/client'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const delegates = (name: string) =>
  scriptedModel([{ calls: [{ name, id: 'outer', args: { task: 'Look.' } }] }, 'Done.'])
const scout = (options = {}) =>
  createAgent({
    name: 'scout',
    model: scriptedModel([{ calls: [{ name: 'look', id: 'inner' }] }, 'I saw it.']),
    tools: [look],
    ...options,
  })
const isInside = (event: Event) => event.type === 'agent.event'

/** `agent.event(turn.started)` for the nested ones. */
const nameOf = (event: Event): string =>
  event.type === 'agent.event' ? `${event.agent}(${nameOf(event.event)})` : event.type

describe.each([
  { name: 'in memory', options: () => ({}) },
  { name: 'on a log', options: () => ({ store: memoryStore() }) },
])('events of a sub-agent, $name', ({ options }) => {
  test('reach who reads the turn of its caller: behind agent.started, in order, each once', async () => {
    const given = options()
    const agent = createAgent({
      model: delegates('scout'),
      tools: [agentTool(scout(given), { name: 'scout' })],
      ...given,
    })
    const turn = agent.send('Go')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    const types = events.map(nameOf).filter(type => !/delta|usage/.test(type))
    expect(types.slice(types.indexOf('tool.executing'), types.indexOf('tool.completed') + 1)).toEqual([
      'tool.executing',
      'agent.started',
      'scout(turn.started)',
      'scout(message.added)',
      'scout(message.added)',
      'scout(tool.pending)',
      'scout(tool.executing)',
      'scout(tool.completed)',
      'scout(message.added)',
      'scout(message.started)',
      'scout(message.added)',
      'scout(turn.completed)',
      'tool.completed',
    ])
    const started = events.find(event => event.type === 'agent.started') as { agentConversationId: string } | undefined
    const id = started?.agentConversationId
    for (const event of events.filter(isInside)) {
      expect(event).toMatchObject({
        callId: 'outer',
        agentConversationId: id,
        turnId: turn.id,
        event: { conversationId: id },
      })
      expect(event).not.toHaveProperty('seq')
    }
    expect(events.some(event => nameOf(event) === 'scout(message.delta)')).toBe(true)
    const numbers = events.flatMap(event => event.seq ?? [])
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  })

  test('nest: those of an agent below come inside those of the one between', async () => {
    const given = options()
    const between = createAgent({
      name: 'between',
      model: delegates('scout'),
      tools: [agentTool(scout(given), { name: 'scout' })],
      ...given,
    })
    const top = createAgent({ model: delegates('between'), tools: [agentTool(between, { name: 'between' })], ...given })
    const chat = top.conversation()
    const view = ConversationView.ofLog(chat.id)
    let deepest = ''
    chat.subscribe(event => {
      view.apply(event)
      const [inside] = view.state.agents.values()
      const [below] = inside?.state.agents.values() ?? []
      const [call] = below?.state.calls.values() ?? []
      if (call) deepest = `${inside?.agent} ${below?.agent} ${call.name} ${call.status}`
    })
    const names: string[] = []
    for await (const event of chat.send('Go')) names.push(nameOf(event))
    expect(names).toContain('between(scout(tool.completed))')
    expect(deepest).toBe('between scout look ok')
    expect(view.state.agents.size).toBe(0)
  })
})

test('hooks of the caller hear them too, and none come after its terminal event', async () => {
  const seen: string[] = []
  const watch = middleware({ name: 'watch', onEvent: event => void seen.push(nameOf(event)) })
  const hanging = createAgent({ name: 'scout', model: scriptedModel([{ text: 'Hm', delayMs: 60_000 }]) })
  const agent = createAgent({ model: delegates('scout'), tools: [agentTool(hanging, { name: 'scout' })], use: [watch] })
  const turn = agent.send('Go')
  const read: string[] = []
  for await (const event of turn) {
    read.push(nameOf(event))
    if (read.at(-1) === 'scout(message.added)') turn.interrupt()
  }
  await turn
  expect(read.at(-1)).toBe('turn.interrupted')
  expect(seen).toContain('scout(turn.started)')
  expect(seen.slice(seen.indexOf('turn.interrupted')).filter(name => name.startsWith('scout('))).toEqual([])
})

test('only the loop tells them', async () => {
  const fake = tool({ name: 'look', run: (_args, ctx) => ctx.emit({ type: 'agent.event', agent: 'me' }) })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done'])
  const { messages } = await createAgent({ model, tools: [fake] }).send('Go')
  expect(messages[2]?.content[0]).toMatchObject({
    status: 'error',
    value: expect.stringContaining('Only the loop tells'),
  })
})
