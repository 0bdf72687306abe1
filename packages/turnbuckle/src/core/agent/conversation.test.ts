import { createAgent, textOf, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'
import { look, looks } from '../../../test/support/looks.ts'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })

describe('the tree', () => {
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
