import type { Event, Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { placedMessages } from './placed-messages.ts'

const message = (id: string): Message => ({ id, role: 'user', content: [] })

test('an added message stands behind its parent', () => {
  const added = { type: 'message.added', message: message('b'), parentId: 'a', at: 7 } as unknown as Event
  expect(placedMessages(added)).toMatchObject([{ message: { id: 'b' }, parentId: 'a', at: 7 }])
})

test('messages of an edit stand behind each other', () => {
  const edited = { type: 'history.edited', messages: [message('x'), message('y')], parentId: 'a', at: 7 }
  expect(placedMessages(edited as unknown as Event)).toMatchObject([
    { message: { id: 'x' }, parentId: 'a' },
    { message: { id: 'y' }, parentId: 'x' },
  ])
})

test('other events place nothing', () => {
  expect(placedMessages({ type: 'turn.started' } as unknown as Event)).toEqual([])
})
