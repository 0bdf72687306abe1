import type { ShownChunk } from 'turnbuckle'
import { expect, test } from 'vitest'
import { isFlowing, isLost, isSaid } from './flowing.ts'

test.each<[ShownChunk, string]>([
  [{ type: 'text', text: 'a' }, 'flowing said'],
  [{ type: 'reasoning', text: 'a' }, 'flowing said'],
  [{ type: 'call', id: 'c', name: 'look', args: {} }, 'said'],
  [{ type: 'start', attempt: 0 }, ''],
  [{ type: 'usage', inputTokens: 1, outputTokens: 1 }, ''],
  [{ type: 'finish', reason: 'stop' }, ''],
  [{ type: 'warning', text: 'slow' }, ''],
  [{ type: 'end' }, 'said'],
  [{ type: 'end', lost: true }, 'said lost'],
])('the chunk %o is: %s', (chunk, is) => {
  const kinds = { flowing: isFlowing(chunk), said: isSaid(chunk), lost: isLost(chunk) }
  expect(
    Object.entries(kinds)
      .flatMap(([kind, holds]) => (holds ? kind : []))
      .join(' '),
  ).toBe(is)
})
