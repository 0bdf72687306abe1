import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import SharePersonDialog from './share-person-dialog.tsx'

test('it says that a viewer only reads, and shares with nobody until a name is written', () => {
  const html = draw(SharePersonDialog, { id: 'c', title: 'Trip', done: () => {} })
  expect(html).toContain('Share “Trip” with a person')
  expect(html).toContain('A viewer only reads.')
  expect(html).toMatch(/disabled="">Share</)
})
