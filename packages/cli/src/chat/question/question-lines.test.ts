import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import type { Question } from '../transcript/question.ts'
import { fitQuestion } from './fit-question.ts'
import { questionLines } from './question-lines.ts'

useNoColours()

const question: Question = { id: 'q', kind: 'yes-no', title: 'Delete it?', body: 'It is gone then.' }
const lines = (asked: Question, rows = 24, width = 40) => questionLines(asked, fitQuestion(asked, rows, width), width)

test('a question stands in a box that is open at the right, with a blank line above it: no line is longer than its text', () => {
  expect(lines(question, 24, 99)).toEqual([
    '',
    `╭${'─'.repeat(38)}`,
    '│ Delete it?',
    '│ It is gone then.',
    '│ y yes · n or Esc no',
    `╰${'─'.repeat(38)}`,
  ])
})

test('a problem with the answer is in the box', () => {
  expect(lines({ ...question, problem: 'Say yes or no.' }).join('\n')).toContain('│ Say yes or no.')
})

test('of changes that are too many the first are shown, and how many more there are', () => {
  const asked: Question = { ...question, diff: Array.from({ length: 30 }, (_, i) => `+line ${i}`).join('\n') }
  const drawn = lines(asked, 16).join('\n')
  expect(drawn).toContain('+line 0')
  expect(drawn).not.toContain('+line 29')
  expect(drawn).toMatch(/… \d+ more lines, see above/)
})
