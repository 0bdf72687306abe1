import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digest, sha256 } from './sha256.ts'

test.each(['', 'abc', 'ü'.repeat(27), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'é😀'.repeat(500)])(
  'without Node the fingerprint of %j is the same',
  text => {
    const wanted = createHash('sha256').update(text).digest()
    expect(Buffer.from(digest(text)).equals(wanted)).toBe(true)
    expect(sha256(text)).toBe(wanted.toString('base64url'))
  },
)
