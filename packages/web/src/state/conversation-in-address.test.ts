import { afterEach, expect, test, vi } from 'vitest'
import { conversationInAddress, showConversationInAddress } from './conversation-in-address.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { pathname: '/', id: undefined },
  { pathname: '/c/conv_1.a~b-c', id: 'conv_1.a~b-c' },
  { pathname: '/c/turn_1.functions.a%3A0', id: 'turn_1.functions.a:0' },
  { pathname: '/c/%E0', id: undefined },
  { pathname: '/c/', id: undefined },
  { pathname: '/c/a/b', id: undefined },
])('$pathname names the conversation $id', ({ pathname, id }) => {
  vi.stubGlobal('location', { pathname })
  expect(conversationInAddress()).toBe(id)
})

test.each([
  { from: '/', id: 'a', pushed: ['/c/a'] },
  { from: '/c/a', id: undefined, pushed: ['/'] },
  { from: '/c/a', id: 'a', pushed: [] },
])('from $from the conversation $id adds $pushed to the history', ({ from, id, pushed }) => {
  const pushState = vi.fn()
  vi.stubGlobal('location', { pathname: from })
  vi.stubGlobal('history', { pushState })
  showConversationInAddress(id)
  expect(pushState.mock.calls.map(([, , path]) => path)).toEqual(pushed)
})
