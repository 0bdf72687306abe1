import { expect, test } from 'vitest'
import { readMarks } from './open-marks.ts'

/** What is open at `|` in a paragraph. */
const openAt = (text: string) => readMarks(text.replace('|', ''))(text.indexOf('|'))

test.each([
  { text: 'plain |words', marks: [], isSure: true },
  { text: '**bold |words**', marks: ['**'], isSure: true },
  { text: '**bold |words', marks: ['**'], isSure: false },
  { text: '**bold** |words', marks: [], isSure: true },
  { text: '**bold *and |more* words**', marks: ['**', '*'], isSure: true },
  { text: '`code |words`', marks: ['`'], isSure: true },
  { text: '`code with ** in |it` and **bold** words', marks: ['`'], isSure: true },
  { text: 'two * three |words', marks: [], isSure: true },
  { text: 'a_long_name |words', marks: [], isSure: true },
  { text: 'an \\*escaped |star', marks: [], isSure: true },
  { text: 'see [it](https://a.b) |words', marks: [], isSure: true },
  { text: 'see [the |words', marks: [], isSure: false },
])('$text: $marks', ({ text, marks, isSure }) => {
  expect(openAt(text)).toEqual({ marks, isSure })
})

test('nothing can be cut inside of a link', () => {
  expect(openAt('see [the |manual](https://a.b) first')).toBeUndefined()
})
