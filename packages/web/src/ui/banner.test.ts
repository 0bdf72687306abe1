import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Banner } from './banner.tsx'

test('a lost connection says that turns go on, and offers to try now', () => {
  expect(draw(Banner, {}, { status: 'offline' })).toMatch(/Running turns go on there.*Try now/)
  expect(draw(Banner, {}, { status: 'open' })).not.toContain('class="banner ')
})

test.each([
  { tone: 'bad', role: 'role="alert"' },
  { tone: 'news', role: '' },
] as const)('a notice that is $tone is told with its action', ({ tone, role }) => {
  const html = draw(Banner, {}, { notice: { text: 'Gone.', tone, action: { label: 'Undo', run: () => {} } } })
  expect(html).toContain(`class="banner ${tone}"${role && ` ${role}`}`)
  expect(html).toMatch(/Gone\..*Undo/)
})
