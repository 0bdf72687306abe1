import { expect, test } from 'vitest'
import { node, reply } from '../../../test/conversation.ts'
import { summarizePath } from './summarize-path.ts'

const counted = { ...reply('b', 'a'), usage: { inputTokens: 1200, outputTokens: 30, cost: 0.5 } }

test.each([
  { path: [], is: 'nothing yet' },
  { path: [node('a', null)], is: 'one message' },
  { path: [node('a', null), node('b', 'a')], is: '2 messages' },
  { path: [node('a', null), counted], is: '1.2k in · 30 out · $0.50' },
])('$is', ({ path, is }) => expect(summarizePath(path)).toBe(is))
