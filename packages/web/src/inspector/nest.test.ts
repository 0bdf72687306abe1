import type { WireSpan } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { type Nested, nest } from './nest.ts'

const span = (stage: string, depth: number, more: Partial<WireSpan> = {}): WireSpan => ({
  kind: 'stage',
  stage,
  depth,
  turnId: 't',
  step: 0,
  startedAt: 0,
  durationMs: 0,
  ...more,
})
const hook = (at: string, stage: string, depth: number, more: Partial<WireSpan> = {}) =>
  span(stage, depth, { kind: 'hook', at, ...more })

/** `turn(step(model))` */
const drawn = (nested: readonly Nested[]): string =>
  nested
    .map(({ span: { kind, at, stage, callId }, children }) => {
      const name = `${kind === 'hook' ? at : stage}${callId ? `:${callId}` : ''}`
      return children.length ? `${name}(${drawn(children)})` : name
    })
    .join(' ')

test.each([
  {
    name: 'a stage holds what ended inside it, in order',
    spans: [span('input', 1), span('model', 2), span('tools', 2), span('step', 1), span('turn', 0)],
    is: 'turn(input step(model tools))',
  },
  {
    name: 'a hook belongs to the stage it is a hook of',
    spans: [hook('beforeModel', 'model', 2), hook('afterModel', 'model', 2), span('model', 2), span('step', 1)],
    is: 'step(model(beforeModel afterModel))',
  },
  {
    name: 'calls side by side keep their own hooks',
    spans: [
      hook('beforeTool', 'tool', 3, { callId: 'a' }),
      hook('beforeTool', 'tool', 3, { callId: 'b' }),
      span('tool', 3, { callId: 'b' }),
      span('tool', 3, { callId: 'a' }),
      span('tools', 2),
    ],
    is: 'tools(tool:b(beforeTool:b) tool:a(beforeTool:a))',
  },
  {
    name: 'what has not ended yet leaves its parts at the top',
    spans: [span('input', 1), span('model', 2)],
    is: 'input model',
  },
])('$name', ({ spans, is }) => {
  expect(drawn(nest(spans))).toBe(is)
})
