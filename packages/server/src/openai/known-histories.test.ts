import type { NewMessage } from 'turnbuckle'
import { expect, test } from 'vitest'
import { KnownHistories } from './known-histories.ts'

const said = (role: 'user' | 'assistant', text: string): NewMessage => ({ role, content: [{ type: 'text', text }] })
const place = { conversationId: 'c', turnId: 't' }

test('a history is found by its very words, and by its person alone', () => {
  const histories = new KnownHistories()
  const history = [said('user', 'a'), said('assistant', 'A')]
  histories.remember('ann', history, place)
  expect(histories.find('ann', [said('user', 'a'), said('assistant', 'A')])).toBe(place)
  expect(histories.find('bob', history)).toBeUndefined()
  expect(histories.find('ann', [said('user', 'a'), said('assistant', 'B')])).toBeUndefined()
  expect(histories.find('ann', [])).toBeUndefined()
})

test('the oldest of more than 10,000 histories is forgotten; one that is told again is new', () => {
  const histories = new KnownHistories()
  for (let n = 0; n < 10_000; n++) histories.remember('ann', [said('user', `${n}`)], place)
  histories.remember('ann', [said('user', '0')], place)
  histories.remember('ann', [said('user', 'one more')], place)
  expect(histories.find('ann', [said('user', '0')])).toBe(place)
  expect(histories.find('ann', [said('user', '1')])).toBeUndefined()
})
