import { expect, test } from 'vitest'
import { node, reply } from '../../../test/conversation.ts'
import { changedWords } from './changed-words.ts'

const said = (id: string, text: string) => reply(id, null, [{ type: 'text', text }])

test('questions are compared with questions and answers with answers; one without a partner is all new', () => {
  const words = changedWords(
    [node('q1', null, { text: 'go by sea' }), said('a1', 'It takes two days.')],
    [node('q2', null, { text: 'go by train' }), said('a2', 'It takes two hours.'), said('a3', 'More.')],
  )
  const marked = (id: string) =>
    words
      .get(id)
      ?.filter(({ changed }) => changed)
      .map(({ text }) => text)
  expect(['q1', 'q2', 'a1', 'a2', 'a3'].map(marked)).toEqual([['sea'], ['train'], ['days'], ['hours'], ['More.']])
})
