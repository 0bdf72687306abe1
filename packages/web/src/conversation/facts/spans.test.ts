import type { WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { addTracedSpans, mergeSpans, numberSpans, type TimelineSpan } from './spans.ts'

const opened = (id: number): TimelineSpan => ({
  id,
  kind: 'stage',
  stage: `s${id}`,
  depth: 0,
  turnId: 't',
  step: 0,
  startedAt: 0,
})
const ended = (id: number): TimelineSpan => ({ ...opened(id), durationMs: 5 })
const event = (span: TimelineSpan): WireEvent =>
  ({
    type: span.durationMs === undefined ? 'trace.opened' : 'trace.span',
    conversationId: 'c',
    turnId: 't',
    at: 0,
    span,
  }) as WireEvent

test('an end closes what was open, and nothing opens it again', () => {
  const first = addTracedSpans(new Map(), [event(opened(0)), event(opened(1)), event(ended(1))])
  const second = mergeSpans(first, 't', [opened(0), opened(1)])
  expect([...(second.get('t')?.values() ?? [])]).toEqual([opened(0), ended(1)])
})

test('the whole of a model call takes the place of its short form, and stays', () => {
  const call = { model: 'm', sent: '', received: '' }
  const short = { ...ended(0), exchanges: [{ ...call, isShort: true as const }] }
  const whole = { ...ended(0), exchanges: [call] }
  const loaded = mergeSpans(mergeSpans(new Map(), 't', [short]), 't', [whole])
  expect(loaded.get('t')?.get(0)).toBe(whole)
  expect(mergeSpans(loaded, 't', [short]).get('t')?.get(0)).toBe(whole)
})

test('events that tell of no span change nothing', () => {
  const known = new Map()
  expect(addTracedSpans(known, [{ type: 'resync', conversationId: 'c', seq: 1, at: 0 }])).toBe(known)
})

test('a trace without ids is numbered in its order', () => {
  const old = [
    { ...ended(0), id: undefined },
    { ...ended(1), id: undefined },
  ] as unknown as TimelineSpan[]
  expect(numberSpans(old).map(({ id }) => id)).toEqual([0, 1])
})
