import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { useComparison } from './use-comparison.ts'

function State(): ReactNode {
  const { comparing, picked } = useComparison()
  return createElement('i', undefined, `${comparing} ${picked.length}`)
}

test('a comparison begins with nothing picked, and off', () => {
  expect(draw(State, {})).toBe('<i>false 0</i>')
})
