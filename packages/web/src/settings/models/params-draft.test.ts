import { expect, test } from 'vitest'
import { paramsChange, paramsDraft } from './params-draft.ts'

test('only what was changed is told; an emptied field takes the parameter back', () => {
  const before = { temperature: 0.5, topP: 1, reasoning: 'low' } as const
  const draft = paramsDraft(before)
  expect(paramsChange(before, draft)).toEqual({})
  expect(
    paramsChange(before, { ...draft, temperature: '', topP: ' 0.9', maxOutputTokens: '50', reasoning: 'high' }),
  ).toEqual({
    temperature: null,
    topP: 0.9,
    maxOutputTokens: 50,
    reasoning: 'high',
  })
})
