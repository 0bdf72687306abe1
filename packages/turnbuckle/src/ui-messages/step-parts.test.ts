import { expect, test } from 'vitest'
import { StepParts } from './step-parts.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'

function stepOf() {
  const told: UIMessageChunk[] = []
  const step = new StepParts(chunk => told.push(chunk))
  return { step, types: () => told.splice(0).map(({ type }) => type) }
}

test('what is taken back resets the step, and what stays is told again', () => {
  const { step, types } = stepOf()
  step.open()
  step.tell({ type: 'data-x', data: 1 })
  step.tell({ type: 'text-start', id: 't' }, { messageId: 'm' })
  step.tell({ type: 'data-tool-progress', data: 1, transient: true })
  expect(types()).toEqual(['start-step', 'data-x', 'text-start', 'data-tool-progress'])
  step.remove(({ messageId }) => messageId === 'm')
  expect(types()).toEqual(['reset-step', 'data-x'])
})

test('a step is opened and closed once, and one that has nothing to take back is not reset', () => {
  const { step, types } = stepOf()
  step.open()
  step.open()
  step.remove(() => true)
  step.close()
  step.close()
  expect(types()).toEqual(['start-step', 'finish-step'])
})
