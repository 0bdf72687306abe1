import { type Chunk, tool } from 'turnbuckle'
import { expect, test } from 'vitest'
import { gate, serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'

const calling = (text: string): Chunk => ({ type: 'calling', id: 'c1', name: 'add', text })

test('a call is told as it is written; who comes in the middle gets what is written so far, then the rest', async () => {
  const rest = gate()
  const server = await serve({
    model: {
      id: 'slow',
      async *stream({ messages }) {
        if (messages.length > 1) return yield { type: 'text', text: 'Five.' }
        yield [calling(''), calling('{"a":2,')]
        await rest.opened
        yield [calling('"b":3}'), { type: 'call', id: 'c1', name: 'add', args: '{"a":2,"b":3}' }]
      },
    },
    tools: [tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })],
  })
  const id = await server.newConversation()
  const first = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })
  const started = await first.until(({ type, text }) => type === 'tool.delta' && text === '{"a":2,')
  const { messageId, turnId } = await first.until(({ type }) => type === 'message.started')
  expect(started).toMatchObject({ conversationId: id, turnId, messageId, callId: 'c1', name: 'add', offset: 0 })
  expect(started).not.toHaveProperty('seq')
  const late = await server.follow(id)
  const soFar = { type: 'tool.text', messageId, callId: 'c1', name: 'add', text: '{"a":2,', offset: 0 }
  expect(await late.until(({ type }) => type === 'tool.text')).toMatchObject(soFar)
  rest.open()
  expect(await late.until(({ type }) => type === 'tool.delta')).toMatchObject({
    callId: 'c1',
    text: '"b":3}',
    offset: 7,
  })
  expect(await late.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'Five.' })
  await first.until(isOver)
  expect(late.events).toEqual(first.events)
  const after = await server.follow(id)
  await after.until(isOver)
  expect(after.frames.filter(({ type }) => type === 'tool.text' || type === 'tool.delta')).toEqual([])
})
