import { expect, test } from 'vitest'
import { changedUserSettings } from './changed-user-settings.ts'

const before = { theme: 'light' as const, model: 'offline', params: { topP: 1 }, env: { A: '1', B: '2' } }

test.each([
  { change: { model: null }, after: { theme: 'light', params: { topP: 1 }, env: { A: '1', B: '2' } } },
  { change: { params: { topP: null, temperature: 0 } }, after: { ...before, params: { temperature: 0 } } },
  { change: { params: { topP: null } }, after: { theme: 'light', model: 'offline', env: { A: '1', B: '2' } } },
  { change: { env: { A: null, C: '3' } }, after: { ...before, env: { B: '2', C: '3' } } },
  { change: { instructions: 'Be brief.' }, after: { ...before, instructions: 'Be brief.' } },
])('$change leaves $after', ({ change, after }) => {
  expect(changedUserSettings(before, change)).toEqual(after)
})
