import { expect, test } from 'vitest'
import { UserError } from '../errors/user-error.ts'
import { settingRefusal } from './setting-refusal.ts'

test('a mistake of the user becomes setting.invalid, anything else stays what it is', async () => {
  const fails = (error: Error) =>
    settingRefusal(() => {
      throw error
    })
  await expect(fails(new UserError('No such model.'))).rejects.toMatchObject({
    code: 'setting.invalid',
    message: 'No such model.',
  })
  await expect(fails(new RangeError('A bug.'))).rejects.toThrow(RangeError)
  expect(await settingRefusal(() => 1)).toBe(1)
})
