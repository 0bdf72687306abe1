import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { slowTextHash, textHash } from './text-hash.ts'

test.each(['', 'abc', 'ü'.repeat(27), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'é😀'.repeat(500)])(
  'without Node the fingerprint of %j is the same',
  text => {
    const wanted = createHash('sha256').update(text).digest('base64url')
    expect(slowTextHash(text)).toBe(wanted)
    expect(textHash(text)).toBe(wanted)
  },
)
