import type { Span } from 'turnbuckle'
import { expect, test } from 'vitest'
import { drawTrace } from './draw-trace.ts'

const span = (over: Partial<Span>): Span => ({
  id: 0,
  kind: 'stage',
  stage: 'model',
  turnId: 't',
  step: 0,
  depth: 0,
  startedAt: 0,
  durationMs: 10,
  ...over,
})
const chunk = (by: string, over: Partial<Span> = {}) =>
  span({ kind: 'hook', at: 'onChunk', by, parentId: 0, durationMs: 2, ...over })
const names = (spans: readonly Span[], width?: number) =>
  drawTrace(spans, width).map(line => line.replace(/ +[█▒].*?(?=→|$)/, ' ').trimEnd())

test('hooks stand inside their stage, and those that see every piece of a reply are one line each', () => {
  const spans = [span({}), chunk('a'), chunk('b'), chunk('a'), chunk('b'), span({ id: 9, stage: 'detect' })]
  expect(names(spans)).toEqual(['model', '  onChunk · a × 2', '  onChunk · b × 2', 'detect'])
  expect(drawTrace(spans)[1]).toContain('4 ms')
})

test('a piece that a hook steers at has a line of its own, and so has the next reply', () => {
  const spans = [span({}), chunk('a'), chunk('a', { directive: 'stop' }), chunk('a'), span({ id: 9 }), chunk('a')]
  expect(names(spans)).toEqual(['model', '  onChunk · a × 2', '  onChunk · a → stop', 'model', '  onChunk · a'])
})

test.each([100, 80, 40])('no line is wider than %i columns', width => {
  const spans = [
    span({ depth: 2 }),
    chunk('a-very-long-name-of-a-middleware', { reason: 'x'.repeat(99), directive: 'stop' }),
  ]
  expect(drawTrace(spans, width).every(({ length }) => length <= width)).toBe(true)
})

test('a call is named after its tool, where the messages tell it', () => {
  const content = [{ type: 'call', id: 'c1', name: 'shell', args: {} } as const]
  const spans = [span({ stage: 'tool', callId: 'c1' }), span({ stage: 'tool', callId: 'c2' })]
  const lines = drawTrace(spans, 80, [{ id: 'm', role: 'assistant', content }])
  expect(lines.map(line => line.split(/ +█/)[0])).toEqual(['tool shell', 'tool c2'])
})
