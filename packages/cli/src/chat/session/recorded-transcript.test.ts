import { createAgent, type Model, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
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

test('a finished turn says who let its calls run, as it did while it ran', async () => {
  const store = memoryStore()
  const call = { calls: [{ name: 'look', id: 'c1' }] }
  const model = scriptedModel([call, 'Done.', call, 'Done.'])
  const agent = createAgent({ model, store, tools: [tool({ name: 'look', run: () => 'seen' })], use: [approval()] })
  const conversation = agent.conversation('conv_a')
  for (const by of ['ada', 'bob']) {
    const turn = conversation.send('Go.')
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' }, { by })
  }
  const composed = { agent, store, model, loaded: { root: '/project', user: {} } }
  const chat = new ShownChat(composed as unknown as ComposedAgent)
  const transcript = new RecordedTranscript(chat)
  const answered = () => chat.state.past.flatMap(item => (item.kind === 'tool' ? [item.answered] : []))
  await transcript.showLast(conversation, 24)
  expect(answered()).toEqual(['allowed by ada', 'allowed by bob'])
  transcript.redraw(conversation)
  expect(answered()).toEqual(['allowed by ada', 'allowed by bob'])
})

/** A chat over a recorded turn with one call, which ada let run. */
async function chatWithApproval() {
  const store = memoryStore()
  const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done.'])
  const agent = createAgent({ model, store, tools: [tool({ name: 'look', run: () => 'seen' })], use: [approval()] })
  const conversation = agent.conversation('conv_a')
  const turn = conversation.send('Go.')
  for await (const event of turn)
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' }, { by: 'ada' })
  const chat = new ShownChat({ agent, store, model, loaded: { root: '/p', user: {} } } as unknown as ComposedAgent)
  return { chat, conversation }
}

test('a path that is drawn anew learns from the log who let its calls run', async () => {
  const { chat, conversation } = await chatWithApproval()
  new RecordedTranscript(chat).redraw(conversation)
  await vi.waitFor(() =>
    expect(chat.state.past.filter(({ kind }) => kind === 'tool')).toMatchObject([{ answered: 'allowed by ada' }]),
  )
  expect(chat.state.past).toHaveLength(4)
})

test('what is said while the log is read stays on the screen, after the path', async () => {
  const { chat, conversation } = await chatWithApproval()
  new RecordedTranscript(chat).redraw(conversation)
  chat.say('Undone: a.txt')
  await vi.waitFor(() =>
    expect(chat.state.past.filter(({ kind }) => kind === 'tool')).toMatchObject([{ answered: 'allowed by ada' }]),
  )
  expect(texts(chat.state.past).slice(-2)).toEqual(['Done.', 'Undone: a.txt'])
})

test('who let calls run is not drawn over a conversation that was opened meanwhile', async () => {
  const store = memoryStore()
  const call = { calls: [{ name: 'look', id: 'c1' }] }
  const model = scriptedModel([call, 'Done.', 'Other.'])
  const agent = createAgent({ model, store, tools: [tool({ name: 'look', run: () => 'seen' })], use: [approval()] })
  const first = agent.conversation('conv_a')
  const turn = first.send('Go.')
  for await (const event of turn)
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' }, { by: 'ada' })
  const second = agent.conversation('conv_b')
  await second.send('Hi.').settled
  const composed = { agent, store, model, loaded: { root: '/project', user: {} } }
  const chat = new ShownChat(composed as unknown as ComposedAgent)
  const transcript = new RecordedTranscript(chat)
  transcript.redraw(first)
  transcript.redraw(second)
  const answers = new RecordedTranscript(new ShownChat(composed as unknown as ComposedAgent))
  await answers.showLast(first, 24)
  expect(texts(chat.state.past)).toEqual(['Hi.', 'Other.'])
})

/** A model that writes half a reply, then waits to be interrupted or is cut off. */
const halfReply = (how: 'interrupted' | 'cut off'): Model => ({
  id: 'half',
  async *stream(_prompt, { signal }) {
    yield { type: 'text', text: 'Half a' }
    if (how === 'interrupted') await new Promise(resolve => signal.addEventListener('abort', resolve))
    throw new Error('The connection was cut.')
  },
})

test.each(['interrupted', 'cut off'] as const)('a recorded reply whose turn ended so is marked %s', async how => {
  const store = memoryStore()
  const model = halfReply(how)
  const agent = createAgent({ model, store, breaker: false })
  const conversation = agent.conversation('conv_a')
  const turn = conversation.send('Go.')
  for await (const event of turn) if (event.type === 'message.delta' && how === 'interrupted') turn.interrupt('Esc Esc')
  await turn.settled
  const composed = { agent, store, model, loaded: { root: '/project', user: {} } }
  const chat = new ShownChat(composed as unknown as ComposedAgent)
  const transcript = new RecordedTranscript(chat)
  await transcript.showLast(conversation, 24)
  expect(chat.state.past.at(-1)).toMatchObject({ text: 'Half a', cut: how })
  transcript.redraw(conversation)
  expect(chat.state.past.at(-1)).toMatchObject({ text: 'Half a', cut: how })
})
