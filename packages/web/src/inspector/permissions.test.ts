import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { PermissionItem, Permissions } from './permissions.tsx'

test('until the server has answered it says that it loads', () => {
  expect(draw(Permissions, {})).toBe('<p class="rail-note">Loading …</p>')
})

const drawn = (more: object) => {
  const permission = { id: 'g', decision: 'allow', pattern: 'shell(npm *)', tool: 'shell', ...more }
  const html = draw(PermissionItem, { permission, revoke: () => {} }, { openId: 'c' })
  return html.replace(/<[^>]*>/g, '')
}

test.each([
  { more: { scope: 'always' }, says: 'allow shell(npm *)alwaysRevoke' },
  { more: { scope: 'project', usesLeft: 1 }, says: 'allow shell(npm *)in this project · 1 more callRevoke' },
  { more: { scope: 'conversation', conversationId: 'c' }, says: 'allow shell(npm *)in this conversationRevoke' },
  { more: { scope: 'conversation', conversationId: 'd' }, says: 'allow shell(npm *)in another conversationRevoke' },
])('a permission of $more says where it holds', ({ more, says }) => {
  expect(drawn(more)).toBe(says)
})

test('a permission that ends says when', () => {
  expect(drawn({ scope: 'always', expiresAt: 0 })).toMatch(/always · until .*\d/)
})
