import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { ConversationMenu } from './conversation-menu.tsx'

test('the menu is a button with the name that it is given, and closed', () => {
  const html = draw(ConversationMenu, { id: 'c', title: 'Trip', label: 'Actions for Trip' })
  expect(html).toContain('aria-label="Actions for Trip"')
  expect(html).toContain('aria-expanded="false"')
  expect(html).not.toContain('Delete')
})
