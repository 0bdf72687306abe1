import { createAgent, type Model, textOf } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'

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

test('a turn that is sent before the log has the checkout begins at the new head', async () => {
  const chat = createAgent({ model: scriptedModel(['A', 'B', 'C']), store: memoryStore() }).conversation('c')
  await chat.send('One')
  await chat.send('Two')
  const moved = chat.checkout(chat.tree[1]?.id ?? '')
  await chat.send('Again')
  await moved
  expect(chat.messages.map(textOf)).toEqual(['One', 'A', 'Again', 'C'])
})
