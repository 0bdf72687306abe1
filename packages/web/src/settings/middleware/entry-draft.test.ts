import { expect, test } from 'vitest'
import { entryDraft, entryOf, ownEntries } from './entry-draft.ts'

const entry = { use: 'step-limit', options: { max: 20 }, priority: 5, enabled: false }

test('an entry becomes a draft, and the same entry again', () => {
  expect(entryOf(entryDraft(entry))).toEqual(entry)
  expect(entryOf(entryDraft({ use: 'todo' }))).toEqual({ use: 'todo' })
})

test.each([
  { change: { use: '' }, says: 'Choose a middleware.' },
  { change: { priority: 'high' }, says: 'The priority is a number.' },
  { change: { options: '{ max' }, says: 'The options are no JSON' },
])('$change is refused: $says', ({ change, says }) => {
  expect(entryOf({ ...entryDraft(entry), ...change })).toContain(says)
})

test('the user’s list has its entries alone, as the file has them', () => {
  expect(
    ownEntries([
      { ...entry, from: 'user', names: ['step-limit'] },
      { use: 'retry', from: 'user', names: [], later: true },
      { use: './hook.ts', from: 'project', names: [] },
    ]),
  ).toEqual([entry, { use: 'retry' }])
})
