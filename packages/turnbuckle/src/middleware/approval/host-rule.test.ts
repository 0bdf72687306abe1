import { expect, test } from 'vitest'
import { hostRule } from './host-rule.ts'

test.each([
  { rule: 'https://example.com*', address: 'https://example.com/a', named: true },
  { rule: 'https://example.com*', address: 'https://example.com:8443/a', named: true },
  { rule: 'https://example.com*', address: 'https://EXAMPLE.com/', named: true },
  { rule: 'https://example.com*', address: 'https://example.com.evil.org/', named: false },
  { rule: 'https://example.com*', address: 'https://example.com@evil.org/', named: false },
  { rule: 'https://example.com:*', address: 'https://example.com:x@evil.org/', named: false },
  { rule: 'http://localhost:*', address: 'http://localhost:3000/', named: true },
  { rule: 'https://*.example.com/*', address: 'https://docs.example.com/', named: true },
  { rule: 'https://*.example.com/*', address: 'https://evil.org/?.example.com/', named: false },
  { rule: 'https://*.example.com/*', address: 'https://evil.org#.example.com/', named: false },
  { rule: 'https://*.example.com/*', address: 'https://evil.org\\.example.com/', named: false },
  { rule: '*://example.com/*', address: 'http://example.com/', named: true },
  { rule: '*://example.com/*', address: 'https://evil.org/?://example.com/', named: false },
  { rule: 'http*://example.com/*', address: 'https://evil.org/?://example.com/', named: false },
  { rule: 'https://10.0.0.*', address: 'https://10.0.0.7/', named: true },
  { rule: 'https://me@example.com/*', address: 'https://me@example.com/', named: true },
  { rule: 'https://*', address: 'https://anything.org/', named: true },
  { rule: 'src/*', address: 'https://anything.org/', named: true },
  { rule: 'https://example.com*', address: 'no address', named: true },
])('$rule names the host of $address: $named', ({ rule, address, named }) => {
  expect(hostRule(rule)(address)).toBe(named)
})
