import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { RecordedTranscript } from './recorded-transcript.ts'
import { ShownChat } from './shown-chat.ts'

/** A conversation of so many messages and as many replies. */
async function recorded(count: number) {
  const store = memoryStore()
  const model = scriptedModel(Array.from({ length: count }, (_, i) => `Reply ${i}.`))
  const agent = createAgent({ model, store })
  const conversation = agent.conversation('conv_a')
  for (let i = 0; i < count; i++) await conversation.send(`Message ${i}.`).settled
  const composed = { agent, store, model, loaded: { root: '/project', user: {} } }
  const chat = new ShownChat(composed as unknown as ComposedAgent)
  return { chat, conversation, transcript: new RecordedTranscript(chat) }
}
const texts = (items: readonly object[]) => items.map(item => ('text' in item ? item.text : ''))

test('of a long conversation as many messages are read as the terminal has rows; the rest when somebody looks', async () => {
  const { chat, conversation, transcript } = await recorded(30)
  await transcript.showLast(conversation, 24)
  expect(chat.state.past).toHaveLength(24)
  expect([texts(chat.state.past).at(-1), chat.state.hasOlder]).toEqual(['Reply 29.', true])
  const whole = texts(transcript.whole(conversation))
  expect([whole.length, whole[0], whole.at(-1)]).toEqual([60, 'Message 0.', 'Reply 29.'])
})

test('a short conversation is read whole', async () => {
  const { chat, conversation, transcript } = await recorded(2)
  await transcript.showLast(conversation, 24)
  expect([texts(chat.state.past), chat.state.hasOlder]).toEqual([
    ['Message 0.', 'Reply 0.', 'Message 1.', 'Reply 1.'],
    false,
  ])
})
