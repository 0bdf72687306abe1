import { createAgent, type Model, middleware, textOf, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () =>
  scriptedModel(
    [
      {
        text: 'Looking.',
        calls: [
          { name: 'look', id: 'c1' },
          { name: 'look', id: 'c2', args: { n: 2 } },
        ],
      },
      'Done',
    ],
    { repeat: true },
  )
const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })

describe('the tree', () => {
  test('checkout moves this handle only, and says so', async () => {
    const chat = createAgent({ model: scriptedModel(['A', 'B']) }).conversation()
    await chat.send('One')
    const other = chat.fork()
    const moved: unknown[] = []
    chat.subscribe(event => moved.push(event.type))
    const first = chat.tree[0]?.id ?? ''
    chat.checkout(first)
    expect(chat.messages.map(textOf)).toEqual(['One'])
    expect(other.messages.map(textOf)).toEqual(['One', 'A'])
    expect(moved).toEqual(['head.moved'])
    await chat.send('Again')
    expect(chat.messages.map(textOf)).toEqual(['One', 'Again', 'B'])
    expect(codeOf(() => chat.checkout('nobody'))).toBe('message.missing')
    expect(codeOf(() => chat.fork('nobody'))).toBe('message.missing')
  })

  test('a turn that was edited into being is exported as plain data', async () => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    chat.title = 'Looking around'
    await chat.send('Go')
    const exported = chat.export()
    expect(exported).toMatchObject({ id: chat.id, title: 'Looking around', head: chat.head })
    expect(exported.nodes).toEqual(chat.tree)
    expect(exported.nodes[0]).not.toBe(chat.tree[0])
    expect(JSON.parse(JSON.stringify(exported.nodes))).toHaveLength(5)
  })

  test('a conversation asked for by its name is the same one', async () => {
    const agent = createAgent({ model: scriptedModel(['A', 'B']) })
    await agent.conversation('mine').send('One')
    const again = agent.conversation('mine')
    expect(again.messages.map(textOf)).toEqual(['One', 'A'])
    again.delete()
    expect(agent.conversation('mine').messages).toEqual([])
  })
})

test('a conversation is found by its id while somebody holds it, and is interrupted when the agent closes', async () => {
  const agent = createAgent({ model: scriptedModel(['Hi', { text: 'Late', delayMs: 60_000 }]) })
  const chat = agent.conversation()
  await chat.send('Go')
  expect(agent.conversation(chat.id).messages).toEqual(chat.messages)
  const turn = chat.send('On')
  await agent.close()
  expect((await turn).status).toBe('interrupted')
})

test('a message that the caller changes after it was sent is recorded as it was sent', async () => {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }
  const turn = createAgent({ model: scriptedModel(['Done']) }).send(message)
  for (const part of message.content) part.text = 'Stay'
  expect(textOf((await turn).messages[0])).toBe('Go')
})

describe('turns', () => {
  test('a second send on a running handle is refused; another handle runs beside', async () => {
    const clock = virtualClock()
    const model = scriptedModel(
      [
        { text: 'One', delayMs: 10 },
        { text: 'Two', delayMs: 10 },
      ],
      { clock },
    )
    const chat = createAgent({ model, clock }).conversation()
    const turn = chat.send('Go')
    expect(codeOf(() => chat.send('Too soon'))).toBe('turn.running')
    expect(codeOf(() => chat.checkout('x'))).toBe('turn.running')
    const beside = chat.fork(null).send('Beside')
    await clock.advance(10)
    expect((await turn).text).toBe('One')
    expect((await beside).text).toBe('Two')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'One'])
  })

  test('a deleted conversation takes no more turns', async () => {
    const chat = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] }).conversation()
    const turn = chat.send('Go')
    await settle()
    chat.delete()
    expect((await turn).status).toBe('interrupted')
    expect(codeOf(() => chat.send('More'))).toBe('conversation.deleted')
  })
})

describe('a handle that was opened before agent.resume', () => {
  const opened = async () => {
    const { driver } = memoryStore()
    const store = () => createStore(driver, { leaseMs: 0 })
    const hangs: Model = {
      id: 'hangs',
      async *stream() {
        await new Promise(() => {})
        yield { type: 'text', text: '' }
      },
    }
    const dead = createAgent({ model: hangs, store: store() })
    dead.conversation('c').send({ id: 'u', role: 'user', content: 'Go' })
    await vi.waitFor(async () => expect(await store().nodes('c')).toHaveLength(1))
    const agent = createAgent({ model: scriptedModel(['Resumed.', 'Next.', 'Other.']), store: store() })
    const chat = await agent.open('c')
    const turn = agent.resume('c')
    if (!turn) throw new Error('There is nothing to resume.')
    return { chat, turn }
  }

  test('goes on after the resumed turn', async () => {
    const { chat, turn } = await opened()
    await turn
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Resumed.'])
    await chat.send('On')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Resumed.', 'On', 'Next.'])
  })
  test('refuses another turn while that one runs', async () => {
    const { chat, turn } = await opened()
    expect(() => chat.send('On')).toThrow(expect.objectContaining({ code: 'turn.running' }))
    await turn
  })
  test('that has moved elsewhere stays there', async () => {
    const { chat, turn } = await opened()
    const elsewhere = chat.fork(null)
    await turn
    await elsewhere.send('Other')
    expect(elsewhere.messages.map(textOf)).toEqual(['Other', 'Next.'])
  })
})

test('continue goes on from the head without a message, also on a branch', async () => {
  const inputs: unknown[] = []
  const sees = middleware({ name: 'sees', beforeInput: ctx => void inputs.push(ctx.message.content) })
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const chat = createAgent({ model, use: [sees] }).conversation('c')
  expect(() => chat.continue()).toThrow('Send a message first')
  await chat.send('Go')
  const { text, status } = await chat.continue()
  expect([text, status]).toEqual(['Two.', 'completed'])
  const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role)
  expect(roles(chat.messages)).toEqual(['user', 'assistant', 'assistant'])
  expect(model.prompts.map(({ messages }) => roles(messages))).toEqual([['user'], ['user', 'assistant']])
  const again = chat.fork(chat.tree[0]?.id)
  await again.continue()
  expect(again.messages.map(({ content }) => (content[0] as { text: string }).text)).toEqual(['Go', 'Three.'])
  expect(inputs).toHaveLength(1)
})

test('a turn that goes on without a message is resumed without one', async () => {
  const store = memoryStore()
  const hangs: Model = {
    id: 'hangs',
    async *stream(prompt) {
      if (prompt.messages.length === 1) yield { type: 'text', text: 'One.' }
      else await new Promise(() => {})
    },
  }
  const first = createAgent({ model: hangs, store })
  const chat = first.conversation('c')
  await chat.send('Go')
  await chat.continue().began
  await settle()
  await first.close()
  const second = createAgent({ model: scriptedModel(['Two.']), store })
  const opened = await second.open('c')
  await second.resume('c')
  expect(opened.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
})
