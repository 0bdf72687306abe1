import { describe, expect, test } from 'vitest'
import { checkAnswer, readFallback } from './request.ts'

describe('an answer to a permission', () => {
  test.each([
    { decision: 'allow' },
    { decision: 'deny', reason: 'Not today.' },
    { decision: 'allow', scope: 'conversation', pattern: 'git *' },
  ])('may be %j', answer => {
    expect(() => checkAnswer({ kind: 'permission' }, answer)).not.toThrow()
  })

  test.each([{ answer: 'allow' }, { answer: { decision: 'yes' } }, { answer: { decision: 'allow', scope: 'never' } }])(
    'is refused as $answer',
    ({ answer }) => {
      expect(() => checkAnswer({ kind: 'permission' }, answer)).toThrow(
        expect.objectContaining({ code: 'request.invalid', message: expect.stringContaining('Expected { decision') }),
      )
    },
  )
})

describe('an answer to a question of another kind', () => {
  test('may be anything but nothing', () => {
    expect(() => checkAnswer({ kind: 'colour' }, 'red')).not.toThrow()
    expect(() => checkAnswer({ kind: 'colour' }, null)).not.toThrow()
    expect(() => checkAnswer({ kind: 'colour' }, undefined)).toThrow('That does not answer the colour request.')
  })

  test('is refused with the words of the check that the asker gave', () => {
    const check = (answer: unknown) => {
      if (answer !== 'red') throw new Error('Only red.')
    }
    expect(() => checkAnswer({ kind: 'colour' }, 'red', check)).not.toThrow()
    expect(() => checkAnswer({ kind: 'colour' }, 'blue', check)).toThrow('Only red.')
  })
})

test("the check of the asker counts in place of the permission's own", () => {
  expect(() => checkAnswer({ kind: 'permission' }, 'fine', () => {})).not.toThrow()
})

test('the word of a permission becomes a decision; other fallbacks stay as they are', () => {
  expect(readFallback('permission', 'deny')).toEqual({ decision: 'deny', reason: 'Nobody answered in time.' })
  expect(readFallback('permission', { decision: 'allow' })).toEqual({ decision: 'allow' })
  expect(readFallback('colour', 'red')).toBe('red')
})
