import { expect, test } from 'vitest'
import { changedSettings } from './changed-settings.ts'

const before = { model: 'a/b', instructions: 'Be brief.', params: { temperature: 0, topP: 0.5 } }

test.each([
  { change: {}, after: before },
  { change: { model: 'c/d' }, after: { ...before, model: 'c/d' } },
  { change: { model: null, instructions: '' }, after: { params: before.params } },
  {
    change: { params: { temperature: null, maxOutputTokens: 9 } },
    after: { ...before, params: { topP: 0.5, maxOutputTokens: 9 } },
  },
  { change: { params: { temperature: null, topP: null } }, after: { model: 'a/b', instructions: 'Be brief.' } },
])('$change leaves $after', ({ change, after }) => {
  expect(changedSettings(before, change)).toEqual(after)
})
