import { expect, test } from 'vitest'
import { applyChange, type Target } from './apply-change.ts'
import type { Change } from './changes-of.ts'
import type { Row } from './executor.ts'

const target: Target = { conversation: 'conv', c: 7, hasRaw: false }

/** The statements that a change is written with; each is answered with `rows`. */
function statements(change: Change, { of = target, rows = [] }: { of?: Target; rows?: readonly Row[] } = {}) {
  const work = applyChange(of, 3, change)
  const made: { readonly sql: string; readonly params: readonly unknown[] }[] = []
  for (let step = work.next(); !step.done; step = work.next(rows)) {
    const [sql, params = []] = step.value
    expect(sql.match(/\?/g)?.length ?? 0, sql).toBe(params.length)
    made.push({ sql, params })
  }
  return made
}

const changes: readonly { readonly what: string; readonly change: Change; readonly begins: readonly string[] }[] = [
  {
    what: 'a message',
    change: {
      change: 'node',
      message: { id: 'm', role: 'user', content: [] },
      parent: undefined,
      turn: 't',
      at: 1,
      text: '',
    },
    begins: ['INSERT INTO nodes'],
  },
  {
    what: 'the usage of a message',
    change: { change: 'usage', node: 'm', usage: { inputTokens: 1, outputTokens: 2 } },
    begins: ['UPDATE nodes', 'UPDATE conversations'],
  },
  {
    what: 'usage of no message',
    change: { change: 'usage', node: undefined, usage: { inputTokens: 1, outputTokens: 2 } },
    begins: ['UPDATE conversations'],
  },
  { what: 'a hidden message', change: { change: 'hidden', node: 'm' }, begins: ['UPDATE nodes'] },
  {
    what: 'a turn that begins',
    change: { change: 'turn', id: 't', status: 'open', at: 1 },
    begins: ['INSERT INTO turns'],
  },
  {
    what: 'a turn that ends',
    change: { change: 'turn', id: 't', status: 'completed', at: 1 },
    begins: ['INSERT INTO turns', 'DELETE FROM records'],
  },
  {
    what: 'a turn that ends without a price',
    change: { change: 'turn', id: 't', status: 'completed', at: 1, unpriced: true },
    begins: ['INSERT INTO turns', 'UPDATE conversations SET cost = NULL', 'DELETE FROM records'],
  },
  {
    what: 'a request',
    change: { change: 'request', id: 'q', kind: 'k', payload: undefined, at: 1, deadline: undefined, turn: 't' },
    begins: ['DELETE FROM requests', 'INSERT INTO requests'],
  },
  { what: 'an answer', change: { change: 'answered', id: 'q' }, begins: ['UPDATE requests SET closed'] },
  { what: 'a title', change: { change: 'title', title: 'Trip' }, begins: ['UPDATE conversations SET title'] },
  {
    what: 'a state of the conversation',
    change: { change: 'state', name: 's', value: 1 },
    begins: ['INSERT INTO states'],
  },
  {
    what: 'a call that has its result, where no raw one is kept',
    change: { change: 'settled', callId: 'x', turn: 't' },
    begins: [],
  },
]

test.each(changes)('$what is written with its statements, each parameter in place', ({ change, begins }) => {
  const made = statements(change).map(({ sql }) => sql)
  expect(made.map((sql, i) => sql.slice(0, begins[i]?.length))).toEqual(begins)
})

test('the raw result of a call is erased by the beginning of its JSON, counted in characters', () => {
  const callId = 'a"\u{1f600}'
  const [erase] = statements({ change: 'settled', callId, turn: 't' }, { of: { ...target, hasRaw: true } })
  const mark = `{"callId":${JSON.stringify(callId)},`
  expect(erase?.params).toEqual([7, 't', [...mark].length, mark])
  expect(JSON.stringify({ callId, value: 1 }).startsWith(mark)).toBe(true)
})

test('a state of a branch is added to those that its message has', () => {
  const [, write] = statements(
    { change: 'branch', node: 'm', name: 'b', value: 2 },
    { rows: [{ state: '{"a":1,"b":1}' }] },
  )
  expect(write?.params).toEqual(['{"a":1,"b":2}', 7, 'm'])
})
