import { expect, test } from 'vitest'
import { LogFacts } from './log-facts.ts'
import type { WireEvent } from './wire.ts'

function factsOf(...events: readonly (readonly [type: string, more: object])[]): LogFacts {
  const facts = new LogFacts()
  for (const [type, more] of events)
    facts.apply({ type, conversationId: 'c', turnId: 't', at: 0, ...more } as unknown as WireEvent, 7)
  return facts
}

const tokens = { inputTokens: 10, outputTokens: 5 }

test.each([
  { name: 'all is known', used: [{ cost: 0.5 }, { cost: 0.25 }], ends: { cost: 0.75 }, cost: 0.75 },
  { name: 'a reply has no price', used: [{ cost: 0.5 }, {}], ends: {}, cost: undefined },
  { name: 'a reply did not say what it used', used: [{ cost: 0.5 }], ends: {}, cost: undefined },
  { name: 'a hook has asked a model, too', used: [{ cost: 0.5 }], ends: { cost: 0.75 }, cost: 0.75 },
])('the cost of a conversation where $name: $cost', ({ used, ends, cost }) => {
  const { usage } = factsOf(
    ['turn.started', {}],
    ...used.map(each => ['usage', { messageId: 'm', ...tokens, ...each }] as const),
    ['turn.completed', { outcome: 'completed', usage: { inputTokens: 30, outputTokens: 20, ...ends } }],
  )
  expect(usage).toEqual({ inputTokens: 30, outputTokens: 20, ...(cost === undefined ? {} : { cost }) })
})

test('a tag is known with the time at which its turn was heard of', () => {
  const { turnTags } = factsOf(['turn.started', { tag: { key: 'k' } }])
  expect([...turnTags]).toEqual([['t', { tag: { key: 'k' }, at: 7 }]])
})

test('a closed request stays known with its decision', () => {
  const facts = factsOf(
    ['request.opened', { requestId: 'a' }],
    ['request.opened', { requestId: 'b' }],
    ['request.answered', { requestId: 'a', decision: 'yes' }],
    ['request.expired', { requestId: 'b' }],
  )
  expect([...facts.requestIds]).toEqual(['a', 'b'])
  expect(Object.fromEntries(facts.closedRequests)).toEqual({
    a: { how: 'answered', decision: 'yes' },
    b: { how: 'expired' },
  })
})

test('the last message of a turn is known after its end', () => {
  const { lastMessages, firstUserMessage } = factsOf(
    ['turn.started', {}],
    ['message.added', { messageId: 'u', role: 'user', message: { id: 'u' } }],
    ['message.added', { messageId: 'a', role: 'assistant', message: { id: 'a' } }],
    ['turn.completed', { outcome: 'completed', usage: tokens }],
  )
  expect([lastMessages.get('t'), firstUserMessage]).toEqual(['a', { id: 'u' }])
})
