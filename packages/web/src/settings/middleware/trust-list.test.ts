import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { TrustList } from './trust-list.tsx'

const item = { kind: 'hook', name: './hook.ts', does: 'hooks', hash: '0123456789abcdef', text: 'new' } as const

test.each([
  { more: {}, says: 'waits for trust' },
  { more: { trustedText: 'old' }, says: 'changed, waits for trust' },
])('what waits is told as "$says", with the diff before the button', ({ more, says }) => {
  const html = draw(TrustList, { items: [{ ...item, ...more }], reload: () => {} })
  expect(html).toContain(`>${says}</span>`)
  expect(html).toMatch(/0123456789ab<.*data-kind="new">new.*Trust exactly this/s)
})
