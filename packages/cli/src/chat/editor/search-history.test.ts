import { expect, test } from 'vitest'
import { editorWith } from './editor.ts'
import { beginSearch, searchFor, searchNewer, searchOlder } from './search-history.ts'

const lines = ['npm test', 'git log', 'NPM run build']
const begun = beginSearch(lines, editorWith('draft'))

test('a search finds the newest line first, whatever its case, and then older ones', () => {
  const first = searchFor(begun, lines, 'npm')
  const second = searchOlder(first, lines)
  expect([lines[first.at], lines[second.at]]).toEqual(['NPM run build', 'npm test'])
})

test('a search that finds nothing more stays at its line and says so', () => {
  const oldest = searchOlder(searchOlder(searchFor(begun, lines, 'npm'), lines), lines)
  expect(oldest).toMatchObject({ at: 0, failed: true })
  expect(searchFor(oldest, lines, 'git')).toMatchObject({ at: 1, failed: false })
})

test('a search that has gone too far comes back to newer lines, and stays at the newest', () => {
  const oldest = searchOlder(searchOlder(searchFor(begun, lines, 'npm'), lines), lines)
  const newer = searchNewer(oldest, lines)
  expect(newer).toMatchObject({ at: 2, failed: false })
  expect(searchNewer(newer, lines)).toMatchObject({ at: 2, failed: false })
})

test('an empty query shows no line', () => {
  expect(searchFor(searchFor(begun, lines, 'git'), lines, '')).toMatchObject({ at: lines.length, failed: false })
  expect(searchOlder(begun, lines)).toBe(begun)
  expect(searchNewer(begun, lines).at).toBe(lines.length)
})
