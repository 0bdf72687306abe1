import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { todo } from './todo.ts'

const items = [
  { text: 'read', status: 'done' },
  { text: 'write', status: 'doing' },
  { text: 'send', status: 'open' },
]
const write = (args: unknown) => ({ calls: [{ name: 'todo', args }] })
const shown = 'Your to-do list:\n[x] read\n[>] write\n[ ] send'

describe('todo', () => {
  test.each([
    { name: 'a list is shown in the next call', args: { items }, status: 'ok', value: '1 of 3 done.', sent: shown },
    { name: 'an empty list is not shown', args: { items: [] }, status: 'ok', value: '0 of 0 done.', sent: '' },
    {
      name: 'no list',
      args: {},
      status: 'error',
      value: 'The arguments of todo do not fit. items is missing.',
      sent: '',
    },
    {
      name: 'an item without a text',
      args: { items: [{ status: 'open' }] },
      status: 'error',
      value: 'The arguments of todo do not fit. items.0.text is missing.',
      sent: '',
    },
    {
      name: 'a status of its own',
      args: { items: [{ text: 'a', status: 'soon' }] },
      status: 'error',
      value: 'The arguments of todo do not fit. items.0.status: expected "open" or "doing" or "done".',
      sent: '',
    },
    {
      name: 'too many',
      args: { items: [...items, ...items] },
      status: 'error',
      value: 'The arguments of todo do not fit. items: expected a list no longer than 5.',
      sent: '',
    },
  ])('$name', async ({ args, status, value, sent }) => {
    const model = scriptedModel([write(args), 'done'])
    const { messages } = await createAgent({ model, use: [todo({ max: 5 })] }).send('go')
    expect(messages[2]?.content[0]).toMatchObject({ status, value })
    expect(model.prompts[1]?.instructions).toBe(sent)
  })

  test('it stays for the next turn, and a fork from before has none', async () => {
    const model = scriptedModel([write({ items }), 'one', 'two', 'three'])
    const chat = createAgent({ model, use: [todo()] }).conversation()
    const before = chat.fork()
    await chat.send('go')
    await chat.send('on')
    await before.send('elsewhere')
    expect(model.prompts.map(({ instructions }) => instructions)).toEqual(['', shown, shown, ''])
  })

  test('a change is told', async () => {
    const turn = createAgent({ model: scriptedModel([write({ items }), 'done']), use: [todo()] }).send('go')
    const told: unknown[] = []
    for await (const event of turn) if ((event.type as string) === 'todo.changed') told.push(event)
    expect(told).toMatchObject([{ items }])
  })
})
