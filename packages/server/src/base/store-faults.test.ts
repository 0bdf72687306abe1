import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { storeFaultWords, wordsOfFault } from './store-faults.ts'

test('a failure of the store is told with its code, in words that name no file', () => {
  const error = new TurnbuckleError('store.full', 'No space for "/home/ada/secret.db".', { kind: 'store' })
  expect(storeFaultWords(error)).toBe('The server has no space left to store this. (store.full)')
  expect(storeFaultWords(new Error('/home/ada'))).toBe('The server’s store has failed. (store.failed)')
})

test('an error that is not the store’s has no such words', () => {
  expect(storeFaultWords(new TurnbuckleError('tool.missing', 'There is no tool "x".'))).toBeUndefined()
  expect(wordsOfFault('tool.missing')).toBeUndefined()
})
