import { expect, test } from 'vitest'
import { conversationChange, providerTrial, settingsChange } from './settings-schemas.ts'

test.each([
  { temperature: 3 },
  { topP: -0.1 },
  { maxOutputTokens: 0 },
  { maxOutputTokens: 1.5 },
  { reasoning: 'huge' },
  { seed: 1 },
])('the parameters %o are refused, of a conversation and of the settings', params => {
  for (const change of [conversationChange, settingsChange]) expect(change.safeParse({ params }).success).toBe(false)
})

test('null takes a parameter, the model or the instructions back', () => {
  const change = { model: null, instructions: null, params: { temperature: null, reasoning: null } }
  expect(conversationChange.parse(change)).toEqual(change)
  expect(settingsChange.parse(change)).toEqual(change)
})

test('names are taken without the spaces around them, and a name of spaces is none', () => {
  expect(settingsChange.parse({ model: ' openai/gpt-5 ' })).toEqual({ model: 'openai/gpt-5' })
  expect(settingsChange.safeParse({ model: '  ' }).success).toBe(false)
  expect(conversationChange.safeParse({ title: ' ' }).success).toBe(false)
})

test('a setting that a person cannot change here is refused, not dropped', () => {
  expect(settingsChange.safeParse({ store: 'memory:' }).success).toBe(false)
  expect(providerTrial.safeParse({ key: 'sk-x', provider: 'openai' }).success).toBe(false)
})
