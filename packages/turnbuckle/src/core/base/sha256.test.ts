import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexOf, hmac, sha256 } from './sha256.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('is SHA-256', () => {
  fc.assert(
    fc.property(bytes, message => {
      expect(hexOf(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
    }),
  )
})

test('is HMAC', () => {
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      expect(hexOf(hmac(key, message))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }),
  )
})
