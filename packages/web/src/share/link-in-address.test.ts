import { afterEach, expect, test, vi } from 'vitest'
import { linkInAddress } from './link-in-address.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { pathname: '/s/share_a-b', hash: '#share=tok_en', is: { shareId: 'share_a-b', token: 'tok_en' } },
  { pathname: '/s/share_a', hash: '', is: { shareId: 'share_a', token: '' } },
  { pathname: '/c/one', hash: '#share=x', is: undefined },
  { pathname: '/', hash: '#token=x', is: undefined },
])('$pathname$hash is $is', ({ is, ...location }) => {
  vi.stubGlobal('location', location)
  expect(linkInAddress()).toEqual(is)
})
