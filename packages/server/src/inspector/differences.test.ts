import { expect, test } from 'vitest'
import { differences } from './differences.ts'

const link = (message: string, parent?: { depth: number }) => ({ message, parent, depth: (parent?.depth ?? 0) + 1 })
const first = link('first')
const changed = (before: unknown, after: unknown, what: 'input' | 'messages' | 'state' = 'input') =>
  differences({ what, before, after }).map(({ before, after }) => [
    before && JSON.parse(before),
    after && JSON.parse(after),
  ])

test.each([
  { name: 'the members that differ', before: { a: 1, b: 2 }, after: { a: 1, b: 3 }, is: [[{ b: 2 }, { b: 3 }]] },
  { name: 'the middle of a list', before: { l: [1, 2, 3] }, after: { l: [1, 9, 3] }, is: [[{ l: [2] }, { l: [9] }]] },
  { name: 'whole values that are no objects', before: 'a', after: 'b', is: [['a', 'b']] },
  { name: 'nothing where both are alike', before: { a: [1] }, after: { a: [1] }, is: [] },
])('of a change the inspector tells $name', ({ before, after, is }) => {
  expect(changed(before, after)).toEqual(is)
})

test('of two paths the messages are told from where they part', () => {
  expect(changed(link('old', first), link('new', link('young', first)), 'messages')).toEqual([
    [['old'], ['young', 'new']],
  ])
})

test('a long text is cut, with the number of characters that are left out', () => {
  const [change] = differences({ what: 'input', before: '', after: 'x'.repeat(9000) })
  expect(change?.after).toMatch(/… 1002 characters more$/)
})

test('a list that both have is not gone through', () => {
  const messages = new Proxy([], {
    get(list, name) {
      if (name === 'length') throw new Error('It was gone through.')
      return Reflect.get(list, name)
    },
  })
  const change = { what: 'input' as const, before: { messages, params: 1 }, after: { messages, params: 2 } }
  expect(differences(change)).toMatchObject([{ before: expect.stringContaining('1') }])
})
