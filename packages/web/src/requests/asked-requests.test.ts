import type { AskedRequest } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { AskedRequests } from './asked-requests.tsx'

const request = {
  id: 'r',
  kind: 'permission',
  payload: { name: 'pay', args: {} },
  owner: 'bob',
  conversationId: 'c',
} as unknown as AskedRequest

test('questions that name this person stand above the chat, with whose they are', () => {
  const html = draw(AskedRequests, {}, { askedRequests: [request] })
  expect(html).toContain('aria-label="Asked of you"')
  expect(html).toContain('bob')
  expect(draw(AskedRequests, {})).toBe('')
})
