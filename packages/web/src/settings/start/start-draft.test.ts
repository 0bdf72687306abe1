import { expect, test } from 'vitest'
import { type StartField, startChange, startDraft } from './start-draft.ts'

const fields: readonly StartField[] = [
  { name: 'maxSteps', label: 'Steps', unit: 1, min: 1 },
  { name: 'idleTimeoutMs', label: 'Seconds', unit: 1000, min: 0 },
  { name: 'retry', label: 'Retries', unit: 1, min: 0 },
  { name: 'tools.files', label: 'Files', choices: { true: 'all', read: 'only read', false: 'off' } },
]
const settings = {
  maxSteps: { value: 50, later: 20, from: 'user' },
  idleTimeoutMs: { value: 60_000, from: 'default' },
  retry: { value: 3, from: 'default' },
  'tools.files': { value: true, from: 'default' },
} as const
const draft = { maxSteps: '20', idleTimeoutMs: '60', retry: '3', 'tools.files': 'true' }

test('a field shows what will count, and milliseconds in seconds', () => {
  expect(startDraft(fields, settings)).toEqual(draft)
})

test.each([
  { write: {}, change: {} },
  { write: { maxSteps: '30' }, change: { maxSteps: 30 } },
  { write: { maxSteps: '' }, change: { maxSteps: null } },
  { write: { idleTimeoutMs: '' }, change: {} },
  { write: { idleTimeoutMs: '1.5' }, change: { idleTimeoutMs: 1500 } },
  { write: { retry: '0' }, change: { retry: { times: 0 } } },
  { write: { 'tools.files': 'read' }, change: { tools: { files: 'read' } } },
  { write: { 'tools.files': 'false' }, change: { tools: { files: false } } },
])('$write is the change $change', ({ write, change }) => {
  expect(startChange(fields, settings, { ...draft, ...write })).toEqual(change)
})
