import { expect, test } from 'vitest'
import type { TimelineSpan } from '../conversation/facts/spans.ts'
import { type NestedSpan, nestSpans } from './nest-spans.ts'

const span = (id: number, stage: string, parentId?: number): TimelineSpan => ({
  id,
  ...(parentId === undefined ? {} : { parentId }),
  kind: 'stage',
  stage,
  depth: 0,
  turnId: 't',
  step: 0,
  startedAt: 0,
})

/** `turn(step(model))` */
const drawn = (nested: readonly NestedSpan[]): string =>
  nested.map(({ span: { stage }, children }) => (children.length ? `${stage}(${drawn(children)})` : stage)).join(' ')

test.each([
  {
    name: 'a stage holds what began inside it, in the order it began, however it ended',
    spans: [span(4, 'tools', 2), span(3, 'model', 2), span(1, 'input', 0), span(2, 'step', 0), span(0, 'turn')],
    is: 'turn(input step(model tools))',
  },
  {
    name: 'calls side by side keep what is their own',
    spans: [span(0, 'tools'), span(1, 'a', 0), span(2, 'b', 0), span(3, 'in-b', 2), span(4, 'in-a', 1)],
    is: 'tools(a(in-a) b(in-b))',
  },
  {
    name: 'what is around it and was not kept leaves its parts at the top',
    spans: [span(7, 'model', 6), span(8, 'hook', 7)],
    is: 'model(hook)',
  },
])('$name', ({ spans, is }) => {
  expect(drawn(nestSpans(spans))).toBe(is)
})
