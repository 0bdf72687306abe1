import type { ConversationSummary } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { ConversationList } from './conversation-list.tsx'

const summary = (more: Partial<ConversationSummary>): ConversationSummary =>
  ({ id: 'c', title: 'Trip', updatedAt: Date.now(), running: false, waiting: 0, ...more }) as ConversationSummary
const shown = (more: Partial<ConversationSummary>) => draw(ConversationList, {}, { list: [summary(more)], openId: 'c' })

test.each([
  { state: {}, says: 'Loading conversations' },
  { state: { status: 'offline' }, says: 'The list could not be loaded.' },
  { state: { isListMissing: true }, says: 'The list could not be loaded.' },
  { state: { list: [] }, says: 'No conversations yet.' },
] as const)('without conversations it says: $says', ({ state, says }) => {
  expect(draw(ConversationList, {}, state)).toContain(says)
})

test('an entry is a real link, and the open one is marked', () => {
  expect(shown({})).toContain('href="/c/c" aria-current="page"')
})

test.each([
  { more: { waiting: 1, running: true }, says: 'Waits for you' },
  { more: { waiting: 2 }, says: '2 wait for you' },
  { more: { running: true }, says: 'Working' },
  { more: { title: '' }, says: 'Untitled' },
])('$more shows as "$says"', ({ more, says }) => {
  expect(shown(more)).toContain(says)
})
