import type { WireMiddleware } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { givePage } from '../../../test/conversation.ts'
import { isOnIn, switchOff, switchOn } from './load-middleware.ts'

const one = (more: Partial<WireMiddleware> = {}): WireMiddleware => ({
  name: 'asks',
  enabled: true,
  priority: 1,
  guard: true,
  hooks: [],
  switchable: ['conversation', 'everyone'],
  ...more,
})

test.each([
  { given: one(), here: true, elsewhere: true },
  { given: one({ enabled: false }), here: false, elsewhere: false },
  { given: one({ inConversations: { c: false } }), here: false, elsewhere: true },
  { given: one({ enabled: false, inConversations: { c: true } }), here: true, elsewhere: false },
])('the switch of a conversation counts there, else the one for everyone ($here, $elsewhere)', row => {
  expect([isOnIn(row.given, 'c'), isOnIn(row.given, 'd'), isOnIn(row.given, undefined)]).toEqual([
    row.here,
    row.elsewhere,
    row.elsewhere,
  ])
})

test.each([
  { given: one({ inConversations: { c: false } }), made: [['asks', true, 'c']] },
  { given: one({ enabled: false }), made: [['asks', true]] },
  {
    given: one({ enabled: false, inConversations: { c: false } }),
    made: [
      ['asks', true],
      ['asks', true, 'c'],
    ],
  },
  { given: one({ enabled: false, switchable: ['conversation'] }), made: [['asks', true, 'c']] },
])('switching on undoes all that keeps it off here: $made', async ({ given, made }) => {
  const calls: unknown[] = []
  const switchMiddleware = async (...args: unknown[]) => calls.push(args) as never
  givePage({ openId: 'c' }, { switchMiddleware, middleware: async () => [] })
  await switchOn(given)
  expect(calls).toEqual(made)
})

test('switching off is for the open conversation, or for everyone', async () => {
  const calls: unknown[] = []
  const switchMiddleware = async (...args: unknown[]) => calls.push(args) as never
  givePage({ openId: 'c' }, { switchMiddleware, middleware: async () => [] })
  await switchOff('asks', 'conversation')
  await switchOff('asks', 'everyone')
  expect(calls).toEqual([
    ['asks', false, 'c'],
    ['asks', false, undefined],
  ])
})
