import { callKey, type ResultPart } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { node } from '../../../test/conversation.ts'
import { resultsOnPath } from './results-on-path.ts'

test('calls of two turns may have the same id: each keeps its own result', () => {
  const result = (value: string): ResultPart => ({ type: 'result', id: 'c1', name: 'add', status: 'ok', value })
  const path = ['t1', 't2'].map(turnId =>
    node(turnId, null, { turnId, message: { id: turnId, role: 'tool', content: [result(turnId)] } }),
  )
  const results = resultsOnPath(path)
  expect(results.get(callKey('t1', 'c1'))?.value).toBe('t1')
  expect(results.get(callKey('t2', 'c1'))?.value).toBe('t2')
  expect(results.size).toBe(2)
})
