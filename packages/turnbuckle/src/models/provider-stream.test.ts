import { createAgent, type Event, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { expect, test } from 'vitest'
import { call, fakeProvider, finish, text } from '../../test/models/fake-provider.ts'

const look = tool({ name: 'look', run: () => 'seen' })

/** What is told of calls that are being written. */
async function written(parts: readonly object[]): Promise<unknown[]> {
  const provider = fakeProvider([
    [...parts, finish('v3', 'tool-calls')],
    [...text('done'), finish('v3')],
  ] as Parameters<typeof fakeProvider>[0])
  const events: Event[] = []
  for await (const event of createAgent({ model: aiSdk(provider), tools: [look] }).send('go')) events.push(event)
  return events.flatMap(event => (event.type === 'tool.delta' ? [[event.callId, event.name, event.text]] : []))
}

test('a call is told as the provider writes it: its name, then piece by piece', async () => {
  const start = { type: 'tool-input-start', id: 'id-look', toolName: 'look' }
  const delta = (piece: string) => ({ type: 'tool-input-delta', id: 'id-look', delta: piece })
  const end = { type: 'tool-input-end', id: 'id-look' }
  expect(await written([start, delta('{"a":'), delta(''), delta('1}'), end, call('look', '{"a":1}')])).toEqual([
    ['id-look', 'look', ''],
    ['id-look', 'look', '{"a":'],
    ['id-look', 'look', '1}'],
  ])
})

test('of a tool that the provider runs itself nothing is told before it has run', async () => {
  const start = { type: 'tool-input-start', id: 'id-search', toolName: 'search', providerExecuted: true }
  const delta = { type: 'tool-input-delta', id: 'id-search', delta: '{}' }
  const result = { type: 'tool-result', toolCallId: 'id-search', toolName: 'search', result: 'two' }
  expect(await written([start, delta, call('search', '{}', { providerExecuted: true }), result])).toEqual([])
})
