import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import { statusLine } from './status-line.ts'

const state = { ...emptyChatState, model: 'anthropic/x', tokens: 12_345, cost: 0.0123, context: 800, hooks: '5 hooks' }
const question = { id: 'r', kind: 'permission', title: '', body: '' } as const

test.each([
  { what: 'at rest', now: state, running: [], line: 'anthropic/x · 12.3k tokens · $0.0123 · context 800 · 5 hooks' },
  {
    what: 'at rest, as the last hook of a turn ends',
    now: state,
    running: ['timeout'],
    line: 'anthropic/x · 12.3k tokens · $0.0123 · context 800 · 5 hooks',
  },
  {
    what: 'at work',
    now: { ...state, running: true, activity: 'writing' },
    running: ['retry', 'timeout'],
    line: '● writing · anthropic/x · 12.3k tokens · $0.0123 · context 800 · 5 hooks: retry, timeout',
  },
  {
    what: 'asking',
    now: { ...state, running: true, activity: 'shell', questions: [question] },
    running: ['approval'],
    line: '● waiting for you · anthropic/x · 12.3k tokens · $0.0123 · context 800 · 5 hooks: approval',
  },
])('$what: $line', ({ now, running, line }) => {
  expect(statusLine(now, running)).toBe(line)
})
