import { expect, test } from 'vitest'
import { fitQuestion, newestThatFit } from './room.ts'
import type { Item, Question } from './state.ts'

const card = (id: string, progress?: string): Item => ({
  kind: 'tool',
  id,
  name: 'wait',
  args: {},
  status: 'running',
  startedAt: 0,
  done: false,
  ...(progress === undefined ? {} : { progress }),
})
const cards = [card('a'), card('b'), card('c', '1/2')]

test.each([
  { room: 7, shown: ['a', 'b', 'c'], more: 0 },
  { room: 6, shown: ['b', 'c'], more: 1 },
  { room: 5, shown: ['b', 'c'], more: 1 },
  { room: 4, shown: ['c'], more: 2 },
  { room: 1, shown: ['c'], more: 2 },
])('in $room lines there is room for $shown', ({ room, shown, more }) => {
  const [items, left] = newestThatFit(cards, room, 80)
  expect(items.map(({ id }) => id)).toEqual(shown)
  expect(left).toBe(more)
})

const question = (body: string, diff?: string): Question => ({
  id: 'r',
  kind: 'permission',
  title: '',
  body,
  ...(diff === undefined ? {} : { diff }),
})

test.each([
  { what: 'all of it', body: 'a\nb', diff: '+x', room: 3, fits: { body: ['a', 'b'], diff: 1, more: 0 } },
  { what: 'a line that is too wide in two', body: 'abcdef', room: 3, fits: { body: ['abcd', 'ef'], diff: 0, more: 0 } },
  {
    what: 'a part of each',
    body: 'a\nb\nc\nd',
    diff: '+x\n+y\n+z',
    room: 4,
    fits: { body: ['a', 'b'], diff: 2, more: 3 },
  },
  { what: 'at least a line', body: 'a\nb', diff: '+x', room: 1, fits: { body: ['a'], diff: 1, more: 1 } },
])('a question shows $what', ({ body, diff, room, fits }) => {
  expect(fitQuestion(question(body, diff), room, 4)).toEqual(fits)
})
