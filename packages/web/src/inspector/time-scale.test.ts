import { expect, test } from 'vitest'
import type { TimelineSpan } from '../conversation/facts/spans.ts'
import { barOnScale, createTimeScale } from './time-scale.ts'

const span = (startedAt: number, durationMs?: number): TimelineSpan => ({
  id: startedAt,
  kind: 'stage',
  stage: 'model',
  depth: 0,
  turnId: 't',
  step: 0,
  startedAt,
  ...(durationMs === undefined ? {} : { durationMs }),
})

test.each([
  {
    name: 'from the first start to the last end',
    spans: [span(100, 50), span(120, 80)],
    now: 0,
    is: { from: 100, ms: 100 },
  },
  { name: 'to now while a span is open', spans: [span(100)], now: 400, is: { from: 100, ms: 300 } },
  { name: 'at least a millisecond', spans: [span(100, 0)], now: 0, is: { from: 100, ms: 1 } },
])('a scale reaches $name', ({ spans, now, is }) => expect(createTimeScale(spans, now)).toEqual(is))

const scale = { from: 100, ms: 200 }
test.each([
  { name: 'stands at its share of the time', at: 150, ms: 100, is: { left: '25%', width: '50%' } },
  { name: 'is as short as its time', at: 100, ms: 1, is: { left: '0%', width: '0.5%' } },
  { name: 'stays on its track', at: 300, ms: 20, is: { left: '90%', width: '10%' } },
])('a bar $name', ({ at, ms, is }) => expect(barOnScale(at, ms, scale)).toEqual(is))
