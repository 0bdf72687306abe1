import { expect, test } from 'vitest'
import { UserError } from '../errors/user-error.ts'
import { blameSetting } from './blame-setting.ts'

const fail = () => {
  throw new Error('no such file')
}

test('a result is passed on', async () => {
  expect(await blameSetting('a.json:1: ', async () => 5)).toBe(5)
})

test('an error names the place of the setting', async () => {
  await expect(blameSetting('a.json:1: ', fail)).rejects.toEqual(new UserError('a.json:1: no such file'))
})

test('the place may depend on the message', async () => {
  await expect(blameSetting(message => `${message.length}: `, fail)).rejects.toThrow('12: no such file')
})
