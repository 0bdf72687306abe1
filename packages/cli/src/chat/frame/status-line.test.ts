import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import { statusLine } from './status-line.ts'

const state = {
  ...emptyChatState,
  model: 'anthropic/claude-x',
  folder: 'shop (main)',
  tokens: 12_345,
  cost: 0.0123,
  context: 8000,
}
const question = { id: 'r', kind: 'permission', title: '', body: '' } as const
const rest = 'anthropic/claude-x · shop (main) · context 4% · $0.0123 · 12.3k tokens'

test.each([
  { what: 'at rest', now: state, hooks: [], line: rest },
  { what: 'at rest, as the last hook of a turn ends', now: state, hooks: ['timeout'], line: rest },
  {
    what: 'beside a command of the person’s own',
    now: { ...state, beside: [{ name: '$ npm test', end() {} }] },
    hooks: [],
    line: `● $ npm test (Ctrl-C stops) · ${rest}`,
  },
  {
    what: 'in vim’s normal mode',
    now: { ...state, editor: { ...state.editor, vim: { mode: 'normal', waits: '' } as const } },
    hooks: [],
    line: `NORMAL · ${rest}`,
  },
  {
    what: 'at work',
    now: { ...state, running: true, activity: 'writing', startedAt: 1000 },
    hooks: ['lint', 'no-secrets'],
    line: `● writing 12 s · ${rest} · hook lint, no-secrets`,
  },
  {
    what: 'asking',
    now: { ...state, running: true, activity: 'shell', questions: [question] },
    hooks: [],
    line: `● waiting for you · ${rest}`,
  },
  {
    what: 'before another attempt',
    now: { ...state, running: true, activity: 'thinking', retry: { until: 16_500, attempt: 1 } },
    hooks: [],
    line: `● again in 4 s (attempt 2) · ${rest}`,
  },
  {
    what: 'with a cost that lacks a part',
    now: { ...state, isCostPartial: true },
    hooks: [],
    line: rest.replace('$', '≥ $'),
  },
])('$what: $line', ({ now, hooks, line }) => {
  expect(statusLine(now, { hooks, now: 13_000 })).toBe(line)
})

test.each([
  { width: 60, line: 'anthropic/claude-x · shop (main) · context 4% · $0.0123' },
  { width: 42, line: 'anthropic/claude-x · context 4% · $0.0123' },
  { width: 20, line: 'anthropic/claude-x' },
])('in $width columns: $line', ({ width, line }) => {
  expect(statusLine(state, { width })).toBe(line)
})

test('the context of a model that is not known is shown in tokens', () => {
  expect(statusLine({ ...state, model: 'compatible/x' })).toContain('context 8.0k')
})
