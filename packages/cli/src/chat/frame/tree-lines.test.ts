import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { treeLines } from './tree-lines.ts'

useNoColours()
const lines = Array.from({ length: 9 }, (_, i) => ({
  id: `m${i}`,
  text: `message ${i}`,
  onPath: true,
  isHead: i === 8,
}))
const drawn = (at: number) => treeLines({ lines, at }, 3, 20).lines.slice(1, -1)

test('the part around the chosen line is shown, which is marked, as is the head', () => {
  expect(drawn(4)).toEqual(['   message 3', '›  message 4', '   message 5'])
  expect(drawn(8)).toEqual(['   message 6', '   message 7', '›● message 8'])
  expect(drawn(0)[0]).toBe('›  message 0')
})

test('the cursor stands at the chosen line', () => {
  for (const at of [0, 4, 8]) {
    const { lines: all, cursor } = treeLines({ lines, at }, 3, 20)
    expect(cursor).toEqual({ row: all.findIndex(line => line.startsWith('›')), column: 0 })
  }
})

test.each([38, 49, 50, 80])('in %i columns the line of its keys fits', width => {
  const keys = treeLines({ lines, at: 0 }, 3, width).lines.at(-1) ?? ''
  expect([keys.length <= width, keys.endsWith('Esc closes')]).toEqual([true, true])
})
