import { expect, test } from 'vitest'
import { openPicker, searchPicker, walkPicker } from './picker.ts'

const items = ['apple', 'pear', 'plum'].map(id => ({ id, label: `The ${id}`, detail: '' }))
const picker = openPicker('Fruit', items, () => {}, 'pear')

test('it opens at the present item, or at the first where there is none', () => {
  expect(picker.at).toBe(1)
  expect(openPicker('Fruit', items, () => {}, 'nobody').at).toBe(0)
})

test('walking stops at the ends', () => {
  expect([walkPicker(picker, -9).at, walkPicker(picker, 9).at]).toEqual([0, 2])
  expect(walkPicker(searchPicker(picker, 'zzz'), 1).at).toBe(0)
})

test('a search looks at labels and ids, begins at the best, and is undone by an empty one', () => {
  const found = searchPicker(picker, 'plum')
  expect(found).toMatchObject({ at: 0, items: [{ id: 'plum' }] })
  expect(searchPicker(found, '').items).toHaveLength(3)
})
