import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { localPerson } from './local-person.ts'

test('the person at a terminal has the name of the machine’s user', () => {
  expect(localPerson()).toBe(userInfo().username)
})
