import { expect, test } from 'vitest'
import { switchableModel } from './switchable-model.ts'

test('the id is that of the model in use, and a name of no model changes nothing', async () => {
  const model = switchableModel('anthropic/x')
  expect(model.id).toBe('anthropic/x')
  await model.use('offline')
  expect(model.id).toBe('offline')
  await expect(model.use('nonsense')).rejects.toThrow('No model "nonsense"')
  expect(model.id).toBe('offline')
})
