import { expect, test } from 'vitest'
import { pairMessages } from './pair-messages.ts'

const messages = (texts: readonly string[]) => texts.map(text => ({ text }))

test.each([
  { title: 'as many messages are paired in their order', a: ['x', 'y'], b: ['y', 'x'], pairs: ['x|y', 'y|x'] },
  {
    title: 'what a branch said before its answer has no counterpart',
    a: ['I ask somebody who knows.', 'All done. The bowline is a fine knot.'],
    b: ['All done. The bowline is the best knot.'],
    pairs: [
      'I ask somebody who knows.|',
      'All done. The bowline is a fine knot.|All done. The bowline is the best knot.',
    ],
  },
  {
    title: 'what the other said after it has none either',
    a: ['It takes two days.'],
    b: ['It takes two hours.', 'Anything else?'],
    pairs: ['It takes two days.|It takes two hours.', '|Anything else?'],
  },
  { title: 'a branch that says nothing leaves all alone', a: [], b: ['a', 'b'], pairs: ['|a', '|b'] },
  { title: 'nothing in common is paired at the beginning', a: ['a'], b: ['b', 'c'], pairs: ['a|b', '|c'] },
])('$title', ({ a, b, pairs }) => {
  const paired = pairMessages(messages(a), messages(b))
  expect(paired.map(([left, right]) => `${left?.text ?? ''}|${right?.text ?? ''}`)).toEqual(pairs)
})

test('branches of hundreds of messages are paired in their order', () => {
  const [a, b] = [200, 300].map(count => messages(Array.from({ length: count }, (_, i) => `message ${i}`)))
  expect(pairMessages(a ?? [], b ?? []).at(150)).toEqual([{ text: 'message 150' }, { text: 'message 150' }])
})
