import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import type { ToolItem } from '../transcript/transcript-item.ts'
import { toolLines } from './tool-lines.ts'

useNoColours()
const view = { width: 40, height: 10, now: 3000, settled: true, unfolded: false }
const call = (more: Partial<ToolItem>): ToolItem => ({
  kind: 'tool',
  id: 'c',
  name: 'shell',
  args: { command: 'make' },
  status: 'ok',
  startedAt: 1000,
  durationMs: 1200,
  done: true,
  ...more,
})
const lines = (more: Partial<ToolItem>, changed: Partial<typeof view> = {}) =>
  toolLines(call(more), { ...view, ...changed })
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')

test('the time stands at the right edge', () => {
  expect(lines({})).toEqual([`✓ shell make${' '.repeat(23)}1.2 s`])
})

test.each([
  { what: 'that failed', more: { result: 'no\n[exit code 2]' }, mark: '✗' },
  { what: 'that the end of the terminal ended', more: { result: 'x\n[ended before it was done: gone]' }, mark: '◼' },
  { what: 'that was denied', more: { status: 'denied' }, mark: '⊘' },
  { what: 'that waits', more: { status: 'waiting', done: false }, mark: '○' },
  { what: 'that was interrupted', more: { status: 'interrupted' }, mark: '◼' },
])('a command $what is marked $mark', ({ more, mark }) => {
  expect(lines(more)[0]?.[0]).toBe(mark)
})

test('of a command the last lines are shown, of anything else the first', () => {
  expect(lines({ result: numbered(9) }).slice(1, 3)).toEqual(['  … 3 more lines (Ctrl-O)', '  line 3'])
  expect(lines({ name: 'read_file', result: numbered(9) }).slice(-2)).toEqual(['  line 5', '  … 3 more lines (Ctrl-O)'])
})

test('no line is left out to say that one is, and none in full', () => {
  expect(lines({ result: numbered(7) })).toHaveLength(8)
  expect(lines({ result: numbered(90) }, { unfolded: true })).toHaveLength(91)
})

test('an edit shows what it changed', () => {
  const result = `Changed a.js\n@@ line 1 @@\n-one\n+two\n${numbered(8)}`
  expect(lines({ name: 'edit_file', result }).slice(1, 4)).toEqual(['  @@ line 1 @@', '  -one', '  +two'])
  expect(lines({ name: 'edit_file', result })).toHaveLength(12)
})

test('a running call shows the last lines it has reported', () => {
  const { durationMs: _, ...begun } = call({ status: 'running', done: false, progress: 'one\ntwo' })
  expect(toolLines(begun, view).map(line => line.trim().split(' ').at(-1))).toEqual(['s', 'one', 'two'])
})

test('the last output of a command stays when it is interrupted', () => {
  const interrupted = { status: 'interrupted', progress: 'line 1\nline 2', result: 'It may have completed.' }
  expect(lines(interrupted).slice(1)).toEqual(['  line 1', '  line 2', '  interrupted', '  It may have completed.'])
})

test('a result that says itself that it was interrupted says so once', () => {
  const result = 'Interrupted. It may have completed.'
  expect(lines({ status: 'interrupted', result }).slice(1)).toEqual([`  ${result}`])
})

test('who else answered stands below the call, as it runs and after', () => {
  const answered = 'allowed by ada'
  expect(lines({ answered, result: 'out' }).slice(1)).toEqual(['  allowed by ada', '  out'])
  expect(lines({ answered, status: 'running', done: false })[1]).toBe('  allowed by ada')
})
