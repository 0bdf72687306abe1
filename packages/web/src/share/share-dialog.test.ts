import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import ShareDialog from './share-dialog.tsx'

test('it says what a link shows before one is made, and makes none until the conversation is read', () => {
  const html = draw(ShareDialog, { id: 'c', title: 'Trip', done: () => {} })
  expect(html).toContain('Share “Trip”')
  expect(html).toContain('the link opens nothing else of this server')
  expect(html).toMatch(/disabled="">Make the link/)
})
