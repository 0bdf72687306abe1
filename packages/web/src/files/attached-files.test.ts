import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { AttachedFiles } from './attached-files.tsx'

const file = { key: 'k', name: 'a.txt', mediaType: 'text/plain' }
const shown = (more: object) =>
  draw(AttachedFiles, {}, { draft: { text: '', files: [{ ...file, ...more }], pastes: [] } })

test.each([
  { more: {}, says: 'Uploading …' },
  { more: { problem: 'Larger than 20 MB' }, says: 'Larger than 20 MB' },
  { more: { problem: 'Lost' }, says: 'Upload a.txt again' },
  { more: { id: 'f' }, says: 'Remove a.txt' },
])('$more shows "$says"', ({ more, says }) => {
  expect(shown(more)).toContain(says)
})

test('a file that is too large is not offered to be uploaded again', () => {
  expect(shown({ problem: 'Larger than 20 MB' })).not.toContain('again')
})

test('without files there is no list', () => {
  expect(draw(AttachedFiles, {})).toBe('')
})
