import { expect, test } from 'vitest'
import type { Decision } from '../../core/directives/directives.ts'
import type { Event } from '../../core/events/events.ts'
import { RecordedTools } from './recorded-tools.ts'

const executing = (callId: string) => ({ type: 'tool.executing', callId, args: { b: 1, a: 2 } })
const ended = (callId: string, status: string) => ({
  type: status === 'ok' ? 'tool.completed' : 'tool.failed',
  callId,
  status,
  result: `result of ${callId}`,
  at: 5,
})
const recorded = (events: readonly object[], decisions: readonly object[] = []) =>
  new RecordedTools(events as unknown as readonly Event[], decisions as unknown as readonly Decision[])

test('a result says whether its call ran, and with which arguments', () => {
  const tools = recorded([executing('ran'), ended('ran', 'ok'), ended('skipped', 'ok')])
  expect(tools.result('ran')).toMatchObject({ ran: true, args: '{"a":2,"b":1}', value: 'result of ran' })
  expect(tools.result('skipped')).toMatchObject({ ran: false, args: '' })
  expect(tools.result('another')).toBeUndefined()
})

test('a call that failed without being run was refused, unless somebody decided so', () => {
  const tools = recorded(
    [ended('unknown tool', 'error'), ended('blocked', 'error'), executing('failed'), ended('failed', 'error')],
    [{ callId: 'blocked', directive: 'block', at: 'beforeTool', by: 'guard' }],
  )
  expect(['unknown tool', 'blocked', 'failed'].map(id => tools.isRefused(id))).toEqual([true, false, false])
})

test('a result is kept where a tool could not give it, or where a hook in use would replace it again', () => {
  const replaced = { callId: 'replaced', directive: 'replace', at: 'afterTool', by: 'redactor' }
  const tools = recorded(
    ['plain', 'replaced', 'late'].flatMap(id => [executing(id), ended(id, id === 'late' ? 'timeout' : 'ok')]),
    [replaced],
  )
  const kept = (...inUse: string[]) => ['plain', 'replaced', 'late'].map(id => tools.kept(id, new Set(inUse))?.status)
  expect(kept('redactor')).toEqual([undefined, 'ok', 'timeout'])
  expect(kept()).toEqual([undefined, undefined, 'timeout'])
})
