import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const tokens = { inputTokens: 10, outputTokens: 5 }

test.each([
  { name: 'all is known', used: [{ cost: 0.5 }, { cost: 0.25 }], ends: { cost: 0.75 }, cost: 0.75 },
  { name: 'a reply has no price', used: [{ cost: 0.5 }, {}], ends: {}, cost: undefined },
  { name: 'a reply did not say what it used', used: [{ cost: 0.5 }], ends: {}, cost: undefined },
  { name: 'a hook has asked a model, too', used: [{ cost: 0.5 }], ends: { cost: 0.75 }, cost: 0.75 },
])('the cost of a conversation where $name: $cost', ({ used, ends, cost }) => {
  const turns = new Turns()
  const add = (type: string, more: object) => turns.add({ type, turnId: 't', at: 0, ...more } as unknown as Event, 0)
  add('turn.started', {})
  for (const each of used) add('usage', { messageId: 'm', ...tokens, ...each })
  add('turn.completed', { outcome: 'completed', usage: { inputTokens: 30, outputTokens: 20, ...ends } })
  expect(turns.usage).toEqual({ inputTokens: 30, outputTokens: 20, ...(cost === undefined ? {} : { cost }) })
})
