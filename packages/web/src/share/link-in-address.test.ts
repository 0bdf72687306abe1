import { afterEach, expect, test, vi } from 'vitest'
import { addressOfLink, linkInAddress } from './link-in-address.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { pathname: '/s/share_a-b', search: '', hash: '#share=tok_en', is: { shareId: 'share_a-b', token: 'tok_en' } },
  { pathname: '/s/share_a', search: '', hash: '', is: { shareId: 'share_a', token: '' } },
  {
    ...{ pathname: '/s/share_a', search: '?agent=turn_1.a%26b', hash: '#share=x' },
    is: { shareId: 'share_a', token: 'x', agent: 'turn_1.a&b' },
  },
  { pathname: '/c/one', search: '', hash: '#share=x', is: undefined },
  { pathname: '/', search: '', hash: '#token=x', is: undefined },
])('$pathname$search$hash is $is', ({ is, ...location }) => {
  vi.stubGlobal('location', location)
  expect(linkInAddress()).toEqual(is)
})

test('the address of a link is the one that it was read from', () => {
  const address = '/s/share_a?agent=turn_1.a%26b#share=x'
  vi.stubGlobal('location', new URL(address, 'http://localhost'))
  expect(addressOfLink(linkInAddress() ?? { shareId: '', token: '' })).toBe(address)
})
