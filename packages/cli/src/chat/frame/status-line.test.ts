import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import { statusLines } from './status-line.ts'

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
  expect(statusLines(now, { hooks, now: 13_000 })).toEqual([line])
})

test.each([
  { width: 60, lines: ['anthropic/claude-x · shop (main) · context 4% · $0.0123'] },
  { width: 59, lines: ['anthropic/claude-x · shop (main) · context 4% · $0.0123', '12.3k tokens'] },
  { width: 39, lines: ['anthropic/claude-x · shop (main)', 'context 4% · $0.0123 · 12.3k tokens'] },
  { width: 20, lines: ['claud… · shop (main)', '4% · $0.0123'] },
])('in $width columns: $lines', ({ width, lines }) => {
  expect(statusLines(state, { width })).toEqual(lines)
})

const busy = {
  ...state,
  running: true,
  activity: 'writing',
  startedAt: 1000,
  isCostPartial: true,
  mode: 'accept edits',
  folder: 'a-long-name-of-a-folder (feature/long-branch)',
  model: 'anthropic/claude-sonnet-4-5-20250929',
} as const

test.each([39, 79, 99])(
  'in %i columns model, folder, branch, context, time and cost are all there, shortened',
  width => {
    const lines = statusLines(busy, { width, now: 65_000 })
    expect(lines.length).toBeLessThanOrEqual(width < 60 ? 2 : 1)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    const text = lines.join(' · ')
    for (const part of ['● writing 1 min 4 s', 'edits', 'claude-s', 'a-long', '(featur', '4%', '≥ $0.0123'])
      expect(text).toContain(part)
  },
)

test.each(
  [39, 79].flatMap(width => [
    { width, change: { activity: 'writing write_file' }, activity: /● writing w… 1 min/ },
    { width, change: { activity: 'all__trigger-long-running-operation' }, activity: /● all__trig… 1 min/ },
    { width, change: { retry: { until: 68_000, attempt: 1 } }, activity: /● again in 3 s/ },
    { width, change: { questions: [question] }, activity: /● waiting for you/ },
  ]),
)(
  'in $width columns with $change what happens is shortened, too, so that context and cost stay',
  ({ width, change, activity }) => {
    const lines = statusLines({ ...busy, ...change }, { width, now: 65_000 })
    expect(lines.length).toBeLessThanOrEqual(width < 60 ? 2 : 1)
    const text = lines.join(' · ')
    expect(text).toMatch(activity)
    for (const part of ['edits', 'claude-s', 'a-long', '(featur', '4%', '≥ $0.0123']) expect(text).toContain(part)
  },
)

test.each(
  [39, 79].flatMap(width => [
    { width, what: 'is written', change: { activity: 'writing write_file' } },
    { width, what: 'is asked', change: { questions: [question] } },
    { width, what: 'is tried again', change: { retry: { until: 68_000, attempt: 1 } } },
    { width, what: 'runs beside it', change: { beside: [{ name: '$ npm run build', end() {} }], background: 0 } },
  ]),
)(
  'in $width columns with commands in the background and vim, while something $what, context and cost stay',
  ({ width, change }) => {
    const vim = { ...state.editor, vim: { mode: 'normal', waits: '' } as const }
    const lines = statusLines({ ...busy, background: 2, editor: vim, ...change }, { width, now: 65_000 })
    expect(lines.length).toBeLessThanOrEqual(width < 60 ? 2 : 1)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    for (const part of ['edits', 'claud', 'a-l', '(fea', '4%', '≥ $0.0123']) expect(lines.join(' · ')).toContain(part)
  },
)

test('the context of a model that is not known is shown in tokens', () => {
  expect(statusLines({ ...state, model: 'compatible/x' }).join('')).toContain('context 8.0k')
})
