import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { ShownHead } from './shown-head.ts'

test('turns that follow each other are found one after the other, and one of another branch is not', async () => {
  const store = memoryStore()
  const conversation = createAgent({ model: scriptedModel(['1', '2', '3', '4']), store }).conversation('conv_a')
  await conversation.send('Hi.')
  const { head } = conversation
  await conversation.fork(null).send('Elsewhere.')
  const turns = [conversation.fork(head).send('One.')]
  const first = turns[0]
  await first
  const events = await store.events('conv_a')
  const shown = new ShownHead(head)
  const next = shown.next(events)
  expect(next?.turnId).toBe(first?.id)
  for (const event of events.filter(({ turnId }) => turnId === first?.id)) shown.hear(event)
  expect(shown.id).not.toBe(head)
  expect(shown.next(events)).toBeUndefined()
  expect(events.find(({ seq }) => seq === (next?.after ?? 0) + 1)).toMatchObject({ type: 'turn.started' })
})
