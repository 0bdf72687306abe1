import { expect, test } from 'vitest'
import { textColumns } from '../../text/wrap-text.ts'
import type { Menu } from '../menu/menu.ts'
import { openPicker } from '../menu/picker.ts'
import { menuHeight, menuLines, pickerLines } from './choice-lines.ts'

const menu = (count: number, at = 0): Menu => ({
  kind: 'command',
  items: Array.from({ length: count }, (_, i) => ({ text: `/c${i}`, does: `does ${i}` })),
  at,
  from: 0,
})

test.each([
  { count: 3, at: 0, rows: 24, shown: ['› /c0  does 0', '  /c1  does 1', '  /c2  does 2'] },
  { count: 20, at: 19, rows: 9, shown: ['  /c18  does 18', '› /c19  does 19', '  20 of 20'] },
])('a menu of $count shows the choice $at in $rows rows', ({ count, at, rows, shown }) => {
  const height = menuHeight(menu(count), rows)
  expect(menuLines(menu(count, at), height, 40)).toEqual(shown)
  expect(height).toBe(shown.length)
})

test.each([200, 120, 80, 40])('a picker fits %i columns and 12 rows, its details at the right', width => {
  const items = Array.from({ length: 40 }, (_, i) => ({
    id: `${i}`,
    label: `A long title ${'x'.repeat(i * 4)}`,
    detail: '3 min · $0.02',
  }))
  const { lines } = pickerLines(
    openPicker('Conversations', items, () => {}, '30'),
    11,
    width,
  )
  expect(lines).toHaveLength(12)
  expect(lines.every(line => textColumns(line) <= width)).toBe(true)
  expect(lines.find(line => line.startsWith('›'))).toMatch(/^› A long title x+(…| ) *3 min · \$0\.02$/)
})

test('a picker says when nothing fits', () => {
  expect(
    pickerLines(
      openPicker('Models', [], () => {}),
      10,
      40,
    ).lines,
  ).toContain('  nothing fits')
})
