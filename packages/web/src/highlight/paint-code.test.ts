import { expect, test } from 'vitest'
import { chunkCode, createCodePainter, type Highlight } from './paint-code.ts'

const code = Array.from({ length: 5000 }, (_, i) => `const line${i} = ${i} // a comment of this line`).join('\n')

function counted(): { readonly highlight: Highlight; readonly seen: string[] } {
  const seen: string[] = []
  const highlight: Highlight = (text, before) => {
    seen.push(text)
    return { lines: text.split('\n').map(line => [{ text: line }]), after: Number(before ?? 0) + 1 }
  }
  return { highlight, seen }
}

test('200 kB of code are cut into chunks of whole lines of at most 3 kB', () => {
  const chunks = chunkCode(code)
  expect(code.length).toBeGreaterThan(200_000)
  expect(Math.max(...chunks.map(chunk => chunk.length))).toBeLessThanOrEqual(3000)
  expect(chunks.join('\n')).toBe(code)
})

test('a call colours no more chunks than it may, and goes on where the last one ended', () => {
  const { highlight, seen } = counted()
  const painter = createCodePainter(highlight)
  const chunks = chunkCode(code)
  expect(painter.paint(chunks, 3)).toHaveLength(3)
  const painted = painter.paint(chunks, 3)
  expect(painted.map(({ after }) => after)).toEqual([1, 2, 3, 4, 5, 6])
  expect(seen).toEqual(chunks.slice(0, 6))
})

test('of code that grows only the last chunk is coloured again', () => {
  const { highlight, seen } = counted()
  const painter = createCodePainter(highlight)
  painter.paint(['a', 'b'], 9)
  expect(painter.paint(['a', 'b and more', 'c'], 9).map(({ text }) => text)).toEqual(['a', 'b and more', 'c'])
  expect(seen).toEqual(['a', 'b', 'b and more', 'c'])
})
