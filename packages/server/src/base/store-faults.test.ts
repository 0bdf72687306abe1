import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { storeFaultWords, withoutHolder, wordsOfFault } from './store-faults.ts'

test('a failure of the store is told with its code, in words that name no file', () => {
  const error = new TurnbuckleError('store.full', 'No space for "/home/ada/secret.db".', { kind: 'store' })
  expect(storeFaultWords(error)).toBe('The server has no space left to store this. (store.full)')
  expect(storeFaultWords(new Error('/home/ada'))).toBe('The server’s store has failed. (store.failed)')
})

test('who holds a conversation is told without machine and process', () => {
  const words = 'is working on the conversation "c". Wait for it, or fork.'
  expect(withoutHolder(`Another process (host~1~2/345/abc) ${words}`)).toBe(`Another process ${words}`)
  expect(withoutHolder('Another agent (x) of this process')).toBe('Another agent (x) of this process')
})

test('an error that is not the store’s has no such words', () => {
  expect(storeFaultWords(new TurnbuckleError('tool.missing', 'There is no tool "x".'))).toBeUndefined()
  expect(wordsOfFault('tool.missing')).toBeUndefined()
})
