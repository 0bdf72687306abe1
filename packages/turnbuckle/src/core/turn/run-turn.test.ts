import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

test('of two stops the first wins, also when the second comes while the turn is being settled', async () => {
  let count = 0
  const agent = createAgent({
    model: scriptedModel(['Hello.']),
    use: [middleware({ name: 'stopper', afterAppend: () => stop(`n${count++}`, { say: 'Bye.' }) })],
  })
  const turn = agent.send('Hi')
  expect(await turn).toMatchObject({ status: 'stopped', reason: 'n0' })
  expect(turn.explain().filter(({ won }) => won)).toHaveLength(1)
})

test('a hook that answers every event with an event does not run away', async () => {
  let heard = 0
  const agent = createAgent({
    model: scriptedModel(['Hello.']),
    use: [
      middleware({
        name: 'echo',
        onEvent(event, ctx) {
          heard++
          ctx.emit({ type: 'echo.told', of: event.type })
        },
      }),
    ],
  })
  expect(await agent.send('Hi')).toMatchObject({ status: 'completed' })
  expect(heard).toBeLessThan(200)
})

test('a tool that throws something else than an error says what it threw', async () => {
  const model = scriptedModel([{ calls: [{ name: 'odd' }] }, 'I see.'])
  const odd = tool({
    name: 'odd',
    run() {
      throw { code: 7 }
    },
  })
  const { messages } = await createAgent({ model, tools: [odd] }).send('Go')
  expect(messages[2]?.content).toMatchObject([{ status: 'error', value: '{"code":7}' }])
})

describe('a turn whose id the caller has chosen', () => {
  const open = () => {
    const store = memoryStore()
    const agentWith = (...script: Parameters<typeof scriptedModel>[0]) =>
      createAgent({ model: scriptedModel(script), store: createStore(store.driver) })
    return { store, agentWith }
  }

  test('has that id', async () => {
    const { agentWith, store } = open()
    await agentWith('Hello').conversation('c').send('Hi', { id: 'mine' })
    expect(await store.turns({ conversation: 'c' })).toMatchObject([{ id: 'mine', status: 'completed' }])
  })

  test('does not begin a second time, in whichever process it is sent', async () => {
    const { agentWith, store } = open()
    await agentWith('Hello').conversation('c').send('Hi', { id: 'mine' })
    const again = agentWith().conversation('c').send('Hi', { id: 'mine' })
    expect(await again.settled).toMatchObject({ status: 'failed', error: { code: 'turn.known' } })
    expect((await store.events('c')).filter(({ type }) => type === 'turn.started')).toHaveLength(1)
  })
})

test('of two turns that are sent at once under one id, one begins', async () => {
  const store = memoryStore()
  const model = scriptedModel(['one', 'two'])
  const conversation = createAgent({ model, store }).conversation('c')
  const turns = [conversation.send('Go', { id: 't' }), conversation.fork().send('Go', { id: 't' })]
  const ends = await Promise.all(turns.map(({ settled }) => settled))
  expect(ends).toMatchObject([{ status: 'completed' }, { status: 'failed', error: { code: 'turn.known' } }])
  expect((await store.events('c')).filter(({ type }) => type === 'turn.started')).toHaveLength(1)
  expect(model.prompts).toHaveLength(1)
})
