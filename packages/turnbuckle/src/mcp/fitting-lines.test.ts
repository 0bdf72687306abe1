import { expect, test } from 'vitest'
import { FittingLines } from './fitting-lines.ts'

test('lines come whole, however the output is cut', () => {
  const output = Buffer.from('{"a":1}\n{"b":"ä"}\n\n{"c":')
  for (let size = 1; size <= output.length; size++) {
    const lines = new FittingLines()
    const found: string[] = []
    for (let at = 0; at < output.length; at += size)
      found.push(...lines.take(output.subarray(at, at + size)).map(String))
    expect(found).toEqual(['{"a":1}\n', '{"b":"ä"}\n', '\n'])
  }
})

test('after a line that is too long the next one is read', () => {
  const lines = new FittingLines()
  const huge = `{"result":{"content":[{"text":"${'x'.repeat(9_000_000)}"}]},"id":1}\n{"id":2}\n`
  const found = lines.take(Buffer.from(huge)).map(line => JSON.parse(line.toString()))
  expect(found).toEqual([expect.objectContaining({ id: 1, result: expect.anything() }), { id: 2 }])
})
