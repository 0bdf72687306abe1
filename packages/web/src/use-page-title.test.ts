import { expect, test } from 'vitest'
import { conversation, givePage } from '../test/conversation.ts'
import { useAppState } from './state/app-state.ts'
import { pageTitle } from './use-page-title.ts'

const summary = (id: string, waiting: number) => ({ id, title: `Trip ${id}`, running: false, waiting }) as never

test.each([
  { name: 'nothing is open', state: {}, title: 'Turnbuckle' },
  {
    name: 'a conversation is open',
    state: { openId: 'c', conversation: conversation({ title: 'Tides' }) },
    title: 'Tides · Turnbuckle',
  },
  {
    name: 'questions wait, and the conversation is being read',
    state: { openId: 'b', list: [summary('a', 2), summary('b', 1)] },
    title: '(3) Trip b · Turnbuckle',
  },
])('the title where $name', ({ state, title }) => {
  givePage(state)
  expect(pageTitle(useAppState.getState())).toBe(title)
})
