import { expect, test } from 'vitest'
import { wholeMessages } from './whole-messages.ts'

const said = { id: 'a', role: 'user' as const, content: [{ type: 'text' as const, text: 'See.' }] }
const file = { type: 'file' as const, mediaType: 'image/png', name: 'map.png', data: 'turnbuckle-file:f1' }
const shown = { id: 'b', role: 'user' as const, content: [file] }

test('a kept file gets its bytes, and a message without one stays the same object', async () => {
  const [first, second] = await wholeMessages([said, shown], async id => (id === 'f1' ? 'AAEC' : undefined))
  expect(first).toBe(said)
  expect(second).toEqual({ ...shown, content: [{ ...file, data: 'AAEC' }] })
})

test.each([
  { why: 'is deleted', readFile: async () => undefined },
  { why: 'has no store', readFile: undefined },
])('a kept file that $why is named in words', async ({ readFile }) => {
  const [message] = await wholeMessages([shown], readFile)
  expect(message?.content).toEqual([{ type: 'text', text: '[map.png: a file that is not there any more]' }])
})
