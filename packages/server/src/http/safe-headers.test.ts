import { expect, test } from 'vitest'
import { diagramPolicy, headersFor } from './safe-headers.ts'

const headers = headersFor({ fetchSite: undefined })
const policy = (text = '') => new Map(text.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]))

test('pages run no script and no style but the server’s own, and nobody frames them', () => {
  const rules = policy(headers['content-security-policy'])
  expect(rules.get('default-src')).toEqual(["'none'"])
  for (const name of ['script-src', 'style-src', 'connect-src']) expect(rules.get(name)).toEqual(["'self'"])
  expect(rules.get('frame-ancestors')).toEqual(["'none'"])
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})

test('the frame of diagrams may hold styles, runs no script of theirs, and connects to nothing', () => {
  const rules = policy(diagramPolicy)
  expect(rules.get('script-src')).toEqual(["'self'"])
  expect(rules.get('style-src')).toContain("'unsafe-inline'")
  expect([rules.get('default-src'), rules.get('connect-src')]).toEqual([["'none'"], undefined])
})

test('the opener policy goes to origins that browsers trust: others would log that they refuse it', () => {
  expect(headersFor({ fetchSite: 'none' })).toEqual({ ...headers, 'cross-origin-opener-policy': 'same-origin' })
  expect(headers).not.toHaveProperty('cross-origin-opener-policy')
})
