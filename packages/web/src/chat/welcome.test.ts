import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { ideas, Welcome } from './welcome.tsx'

const offline = { default: 'offline', models: [{ id: 'offline', offline: true as const }] }

test('every idea is a button', () => {
  const html = draw(Welcome, {})
  for (const idea of ideas) expect(html).toContain(`class="idea">${idea}</button>`)
})

test('the offline model is called a script; owners are led to the settings, others to a terminal', () => {
  const me = (role: 'owner' | 'member') => ({ name: 'ann', role }) as never
  const owner = draw(Welcome, {}, { models: offline, me: me('owner') })
  expect(owner).toMatch(/A script answers here, no AI\..*href="\/settings\/models"/s)
  expect(draw(Welcome, {}, { models: offline, me: me('member') })).not.toContain('href="/settings')
})
