import type { OpenSpan } from 'turnbuckle'
import { expect, test } from 'vitest'
import { RunningHooks } from './running-hooks.ts'

const span = (id: number, by: string, turnId = 't', kind = 'hook') => ({ id, by, turnId, kind }) as OpenSpan

test('middleware is named once, in the order its hooks began, until the last of them has ended', () => {
  const running = new RunningHooks()
  for (const one of [span(1, 'retry'), span(2, 'trim'), span(3, 'retry')]) running.begin(one)
  expect(running.names).toEqual(['retry', 'trim'])
  running.end(span(1, 'retry'))
  expect(running.names).toEqual(['trim', 'retry'])
  running.end(span(3, 'retry'))
  expect(running.names).toEqual(['trim'])
})

test('stages do not count, and turns do not end the hooks of others', () => {
  const running = new RunningHooks()
  running.begin(span(1, 'x', 't', 'stage'))
  running.begin(span(2, 'trim', 'a'))
  running.end(span(2, 'trim', 'b'))
  expect(running.names).toEqual(['trim'])
})
