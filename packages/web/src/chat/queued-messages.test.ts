import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { QueuedMessages } from './queued-messages.tsx'

const queued = (conversationId: string, text: string) => ({ id: text, conversationId, text, files: [] })

test('messages of the open conversation are shown, those of others wait unseen', () => {
  const queuedMessages = [queued('c', 'here'), queued('d', 'elsewhere')]
  const html = draw(QueuedMessages, {}, { openId: 'c', queuedMessages })
  expect(html).toMatch(/After this turn.*here/)
  expect(html).not.toContain('elsewhere')
  expect(draw(QueuedMessages, {}, { openId: 'e', queuedMessages })).toBe('')
})

test('files are named before the words', () => {
  const files = [{ key: 'k', name: 'map.png', mediaType: 'image/png', id: 'f' }]
  const html = draw(QueuedMessages, {}, { openId: 'c', queuedMessages: [{ ...queued('c', 'look'), files }] })
  expect(html).toContain('map.png · look')
})
