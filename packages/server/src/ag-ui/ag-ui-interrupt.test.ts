import { expect, test } from 'vitest'
import { agUiInterrupt } from './ag-ui-interrupt.ts'

type Opened = Parameters<typeof agUiInterrupt>[0]

const opened = (kind: string, payload: unknown, more: object = {}): Opened =>
  ({ type: 'request.opened', conversationId: 'c', at: 0, requestId: 'r', kind, payload, ...more }) as Opened

test('a permission is an approval of its call, with the answers that are possible', () => {
  const payload = { id: 'call_1', name: 'add' }
  expect(agUiInterrupt(opened('permission', payload))).toMatchObject({
    id: 'r',
    reason: 'tool_approval',
    message: 'May add run?',
    toolCallId: 'call_1',
    responseSchema: { required: ['decision'] },
    metadata: { kind: 'permission', payload },
  })
})

test('a question is told in its own words, with its schema and its deadline', () => {
  const payload = { question: 'Which one?', schema: { type: 'string' } }
  expect(agUiInterrupt(opened('choice', payload, { deadline: 0.5 }))).toMatchObject({
    reason: 'choice',
    message: 'Which one?',
    responseSchema: { type: 'string' },
    expiresAt: '1970-01-01T00:00:00.000Z',
  })
  expect(agUiInterrupt(opened('choice', undefined))).toMatchObject({ message: 'The agent asks: choice' })
})
