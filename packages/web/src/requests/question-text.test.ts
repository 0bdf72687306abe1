import type { WireRequest } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { questionText } from './question-text.ts'

test.each([
  { payload: { name: 'shell', args: { command: 'npm test' } }, text: 'May shell run? $ npm test' },
  { payload: { name: 'roll_dice', args: {} }, text: 'May roll_dice run?' },
  { payload: { question: 'Which boat?' }, text: 'Which boat?' },
  { payload: null, text: 'A question waits for you.' },
])('$payload is told as $text', ({ payload, text }) => {
  expect(questionText({ payload } as WireRequest)).toBe(text)
})
