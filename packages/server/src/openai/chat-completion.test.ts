import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import type { TurnEnd } from './answer-form.ts'
import { ChatCompletion } from './chat-completion.ts'

const names = { id: 't', model: 'm', created: 7, conversationId: 'c' }
const usage = { inputTokens: 2, outputTokens: 1 }
const end = (more: object = {}) =>
  ({
    type: 'turn.completed',
    outcome: 'completed',
    reason: 'done',
    by: 'model',
    text: '',
    usage,
    ...more,
  }) as unknown as TurnEnd
const delta = (text: string) => ({ type: 'message.delta', messageId: 'm', text, offset: 0 }) as unknown as Event

test('chunks carry the names, and the last one why it ended', () => {
  const completion = new ChatCompletion(names, { includeUsage: false })
  const chunks = [...completion.begin(), ...completion.add(delta('Hi')), ...completion.end(end())]
  expect(chunks).toMatchObject([
    { id: 't', model: 'm', created: 7, choices: [{ delta: { role: 'assistant' }, finish_reason: null }] },
    { choices: [{ delta: { content: 'Hi' } }] },
    { choices: [{ finish_reason: 'stop' }], turnbuckle: { conversationId: 'c', outcome: 'completed' } },
  ])
  expect(completion.text(true)).toBe('Hi')
})

test('usage comes in a chunk of its own, where it was asked for', () => {
  const chunks = new ChatCompletion(names, { includeUsage: true }).end(end())
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 3 } })
})

test.each([
  { finishReason: 'length', told: 'length' },
  { finishReason: 'content-filter', told: 'content_filter' },
  { finishReason: 'refusal', told: 'content_filter' },
  { finishReason: 'whatever', told: 'stop' },
])('$finishReason is told as $told', ({ finishReason, told }) => {
  const whole = new ChatCompletion(names, { includeUsage: false }).whole(end({ finishReason }))
  expect(whole).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: told }] })
})

test('a turn that failed ends the stream with an error', () => {
  const [last] = new ChatCompletion(names, { includeUsage: true }).end(end({ outcome: 'failed', error: 'no money' }))
  expect(JSON.stringify(last)).toContain('no money')
})
