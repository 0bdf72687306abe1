import { expect, test } from 'vitest'
import { refusalNote } from './refusal-note.ts'

test.each([
  { answer: { decision: 'deny', reason: 'Nobody is here\nto ask.' }, note: '[Nobody is here to ask.]' },
  { answer: { decision: 'deny' }, note: '' },
  { answer: { decision: 'allow', scope: 'once' }, note: '' },
  { answer: undefined, note: '' },
])('$answer is told as: $note', ({ answer, note }) => {
  expect(refusalNote(answer)).toBe(note)
})
