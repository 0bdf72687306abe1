import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { EntryForm } from './entry-form.tsx'

const given = { names: ['step-limit', 'todo'], save: async () => true, done: () => {} }

test('a new entry is chosen by name; one of the file has its options', () => {
  expect(draw(EntryForm, given)).toMatch(/Choose one ….*<option>step-limit<\/option><option>todo<\/option>/s)
  const html = draw(EntryForm, { ...given, entry: { use: 'todo', options: { max: 2 }, enabled: false } })
  expect(html).not.toContain('Choose one')
  expect(html).toContain('&quot;max&quot;: 2')
  expect(html).not.toContain('checked=""')
})
