import { createAgent, type Event, type Model, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))

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

test('a restored turn has the id, the events, the client and the usage that its log has', async () => {
  const store = memoryStore()
  const dying: Model = {
    id: 'dying',
    async *stream({ messages }) {
      if (messages.length > 1) await new Promise(() => {})
      yield { type: 'call', id: 'c1', name: 'look', args: {} }
      yield { type: 'usage', inputTokens: 7, outputTokens: 3 }
    },
  }
  const seen: unknown[] = []
  const look = tool({ name: 'look', run: (_args, ctx) => void seen.push(ctx.client) })
  const first = createAgent({ model: dying, tools: [look], store })
  const chat = first.conversation('c')
  const client = { id: 'ada', name: 'Ada' }
  const left = chat.send('Go', { client })
  await vi.waitFor(() => expect(chat.messages).toHaveLength(3))
  await settle()
  await first.close()
  const model = scriptedModel([{ text: 'Once more.', calls: [{ name: 'look' }] }, 'Done'])
  const second = createAgent({ model, tools: [look], store })
  await second.open('c')
  const turn = second.resume('c')
  expect(turn?.id).toBe(left.id)
  const events: Event[] = []
  for await (const event of turn ?? []) events.push(event)
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1)
  const numbers = events.flatMap(({ seq }) => seq ?? [])
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  expect(await turn).toMatchObject({ status: 'completed' })
  expect(turn?.usage.inputTokens).toBeGreaterThanOrEqual(7)
  expect(seen).toEqual([client, client])
})
