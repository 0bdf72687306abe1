import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import type { Question } from '../transcript/question.ts'
import { fitQuestion } from './fit-question.ts'
import { questionLines } from './question-lines.ts'

useNoColours()

const question: Question = { id: 'q', kind: 'yes-no', title: 'Delete it?', body: 'It is gone then.' }
const lines = (asked: Question, rows = 24, width = 40) => questionLines(asked, fitQuestion(asked, rows, width), width)

test('a question stands in a box as wide as the screen, with a blank line above it', () => {
  const drawn = lines(question)
  expect(drawn[0]).toBe('')
  expect(drawn[1]).toBe(`╭${'─'.repeat(38)}╮`)
  expect(drawn[2]).toBe(`│ Delete it?${' '.repeat(27)}│`)
  expect(drawn.slice(1).every(line => line.length === 40)).toBe(true)
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
