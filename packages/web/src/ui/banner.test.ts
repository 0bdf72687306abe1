import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Banner } from './banner.tsx'
import { Icon } from './icon.tsx'

test('a lost connection says that turns go on, and offers to try now', () => {
  expect(draw(Banner, {}, { status: 'offline' })).toMatch(/Running turns go on there.*Try now/)
  expect(draw(Banner, {}, { status: 'open' })).not.toContain('class="banner ')
})

test('a call that failed for the lost connection makes its line an alert, and has none of its own', () => {
  const notice = { text: 'The server does not answer.', tone: 'bad' } as const
  expect(draw(Banner, {}, { status: 'offline', notice }).match(/role="alert"/g)).toHaveLength(1)
  expect(draw(Banner, {}, { status: 'offline', notice }).match(/does not answer/g)).toHaveLength(1)
  expect(draw(Banner, {}, { status: 'open', notice })).toContain('The server does not answer.')
  expect(draw(Banner, {}, { status: 'offline', notice: { ...notice, text: 'Gone.' } })).toContain('Gone.')
})

test.each([
  { tone: 'bad', role: 'role="alert"' },
  { tone: 'news', role: '' },
] as const)('a notice that is $tone is told with its action', ({ tone, role }) => {
  const html = draw(Banner, {}, { notice: { text: 'Gone.', tone, action: { label: 'Undo', run: () => {} } } })
  expect(html).toContain(`class="banner ${tone}"${role && ` ${role}`}`)
  expect(html).toMatch(/Gone\..*Undo/)
})

test('what has been done has a check mark', () => {
  const html = draw(Banner, {}, { notice: { text: 'Saved.', tone: 'news' } })
  expect(html).toContain(draw(Icon, { name: 'check', size: 16 }))
})
