import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { ResponseItems } from './response-items.ts'

const delta = (text: string, offset: number, messageId = 'm') =>
  ({ type: 'message.delta', messageId, text, offset }) as unknown as Event
const added = (text: string, messageId = 'm') =>
  ({
    type: 'message.added',
    messageId,
    role: 'assistant',
    message: { id: messageId, role: 'assistant', content: [{ type: 'text', text }] },
  }) as unknown as Event

/** The types of the stream's events, with the text of deltas. */
const told = (items: ResponseItems, ...events: readonly Event[]) =>
  events
    .flatMap(event => items.add(event) as { type: string; delta?: string }[])
    .map(({ type, delta: text }) => type.replace('response.', '') + (text === undefined ? '' : ` ${text}`))

test('a reply is one item, told as it grows and closed when it is recorded', () => {
  const items = new ResponseItems()
  expect(told(items, delta('He', 0), delta('llo', 2), added('Hello'))).toEqual([
    'output_item.added',
    'content_part.added',
    'output_text.delta He',
    'output_text.delta llo',
    'output_text.done',
    'content_part.done',
    'output_item.done',
  ])
  expect(items.done).toMatchObject([{ id: 'm', status: 'completed', content: [{ text: 'Hello' }] }])
})

test('text that was told is not told again, and the rest of a reply that grew elsewhere is', () => {
  const items = new ResponseItems()
  expect(
    told(items, delta('Hello', 0), delta('Hello', 0), added('Hello you')).filter(line => line.includes('delta')),
  ).toEqual(['output_text.delta Hello', 'output_text.delta  you'])
})

test('an attempt that was given up is closed as incomplete, and is no part of the answer', () => {
  const items = new ResponseItems()
  told(items, delta('No', 0), { type: 'message.discarded', messageId: 'm', reason: '' } as unknown as Event)
  expect(items.done).toEqual([])
  told(items, added('Yes', 'n'))
  expect(items.done).toMatchObject([{ id: 'n' }])
})

test('a reply that a hook has changed since it was shown is told anew', () => {
  const items = new ResponseItems()
  const lines = told(items, delta('secret', 0), added('[gone]'))
  expect(lines.filter(line => line === 'output_item.added')).toHaveLength(2)
  expect(items.done).toMatchObject([{ content: [{ text: '[gone]' }] }])
})
