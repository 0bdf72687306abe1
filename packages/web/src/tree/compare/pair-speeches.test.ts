import { expect, test } from 'vitest'
import { node, reply } from '../../../test/conversation.ts'
import { pairSpeeches } from './pair-speeches.ts'

const said = (id: string, text: string) => reply(id, null, [{ type: 'text', text }])

test('questions stand beside questions and answers beside answers; one without a partner stands alone', () => {
  const pairs = pairSpeeches(
    [node('q1', null, { text: 'go by sea' }), said('a1', 'It takes two days.'), said('silent', '')],
    [node('q2', null, { text: 'go by train' }), said('a2', 'It takes two hours.'), said('a3', 'More.')],
  )
  expect(pairs.map(([left, right]) => [left?.id, right?.id])).toEqual([
    ['q1', 'q2'],
    ['a1', 'a2'],
    [undefined, 'a3'],
  ])
})
