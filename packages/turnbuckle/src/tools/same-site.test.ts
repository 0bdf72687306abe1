import { expect, test } from 'vitest'
import { isSameSite } from './same-site.ts'

test.each([
  ['http://a.example/x', 'http://a.example/y', true],
  ['http://a.example:80/', 'http://A.example/', true],
  ['https://a.example/', 'https://www.a.example/', true],
  ['https://www.a.example:8443/', 'https://a.example:8443/', true],
  ['http://a.example/', 'https://a.example/', true],
  ['https://a.example/', 'http://a.example/', false],
  ['https://a.example/', 'https://a.example:8443/', false],
  ['http://a.example:8080/', 'http://a.example:8081/', false],
  ['http://a.example/', 'https://a.example:8443/', false],
  ['http://a.example:8080/', 'https://a.example/', false],
  ['https://a.example/', 'https://b.example/', false],
  ['https://a.example/', 'https://x.a.example/', false],
])('%s leads to itself at %s: %s', (from, to, is) => expect(isSameSite(new URL(from), new URL(to))).toBe(is))
