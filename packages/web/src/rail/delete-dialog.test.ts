import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import DeleteDialog from './delete-dialog.tsx'

test.each([
  { title: 'Trip', named: '<strong>Trip</strong>' },
  { title: '', named: '<strong>this conversation</strong>' },
])('it names what is deleted, and the first answer keeps it: $named', ({ title, named }) => {
  const html = draw(DeleteDialog, { title, confirm: () => {}, cancel: () => {} })
  expect(html).toContain(named)
  expect(html).toMatch(/Keep it.*danger[^>]*>Delete/)
})
