import { expect, test } from 'vitest'
import type { LogRecord } from '../../core/durable/log-port.ts'
import { readUnfinishedTurn } from './read-unfinished-turn.ts'

const turn = { id: 't', conversation: 'c', status: 'open', startedAt: 0 }
const note = (name: string, body: Record<string, unknown>): LogRecord => ({
  seq: undefined,
  turn: 't',
  type: `note.${name}`,
  body,
})
let seq = 0
const event = (type: string, body: Record<string, unknown>): LogRecord => ({ seq: ++seq, turn: 't', type, body })
const reply = (id: string) => ({ id, role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] })
const none = { inputTokens: 0, outputTokens: 0 }

test('an attempt is known by the fields of its notes, whatever its id looks like', () => {
  const past = readUnfinishedTurn(turn, [
    note('attempt', { messageId: 'any', step: 1, attempt: 0 }),
    event('message.started', { messageId: 'any' }),
    note('reply', { message: reply('other'), step: 1, attempt: 1, total: none }),
  ])
  expect(past.lastStep).toBe(1)
  expect(past.attempts(1)).toBe(2)
  expect(past.reply(1)?.message.id).toBe('other')
  expect(past.reply(1)).toBeUndefined()
})

test('an attempt that showed nothing has not begun: its number is used again', () => {
  const past = readUnfinishedTurn(turn, [note('attempt', { messageId: 'any', step: 0, attempt: 0 })])
  expect(past.attempts(0)).toBe(0)
})

test('records of the first version tell step and attempt by their ids', () => {
  const past = readUnfinishedTurn(turn, [note('reply', { message: reply('t.s2a1'), total: none })])
  expect(past.attempts(2)).toBe(2)
  expect(past.reply(2)?.message.id).toBe('t.s2a1')
})

test('ids of a later version tell nothing, also where they look like those of the first', () => {
  const past = readUnfinishedTurn(turn, [
    note('turn', { message: reply('u'), guards: [], format: 2 }),
    note('attempt', { messageId: 't.s7a7', step: 0, attempt: 1 }),
    event('message.started', { messageId: 't.s7a7' }),
    event('message.added', { messageId: 't.s5a5', role: 'assistant', message: reply('t.s5a5') }),
    note('left', { key: 't/s-1.turn#0/s0.step#0', stage: 'step', usage: none }),
  ])
  expect([past.attempts(0), past.attempts(5), past.attempts(7), past.lastStep]).toEqual([2, 0, 0, 0])
  expect(past.reply(5)).toBeUndefined()
  expect(past.left('t/s-1.turn#0/s0.step#0')?.within).toEqual([])
  expect(past.firstVersionParents).toBeUndefined()
})

test.each([
  { version: 'the first version, in its key', format: {}, within: {}, found: ['t/s-1.turn#0'] },
  { version: 'a later version, in a field', format: { format: 2 }, within: { within: ['any'] }, found: ['any'] },
])('a checkpoint has the stages around it: of $version', ({ format, within, found }) => {
  const past = readUnfinishedTurn(turn, [
    note('turn', { message: reply('u'), guards: [], ...format }),
    note('entered', { key: 't/s-1.turn#0/s0.step#0', stage: 'step', usage: none, ...within }),
  ])
  expect(past.open.map(checkpoint => checkpoint.within)).toEqual([found])
})

test('a stage that was entered and not left is open, the last first', () => {
  const past = readUnfinishedTurn(turn, [
    note('entered', { key: 'one', stage: 'turn', usage: none }),
    note('entered', { key: 'two', stage: 'input', usage: none }),
    note('left', { key: 'two', stage: 'input', usage: none }),
    note('entered', { key: 'three', stage: 'step', usage: none }),
  ])
  expect(past.open.map(({ key, stage }) => [key, stage])).toEqual([
    ['three', 'step'],
    ['one', 'turn'],
  ])
})

test('an event of the log is told already, once', () => {
  const past = readUnfinishedTurn(turn, [event('message.added', { messageId: 'm', role: 'user', message: reply('m') })])
  const [told] = past.events
  if (!told) throw new Error('The event is missing.')
  expect(past.takeTold(told)).toBe(true)
  expect(past.moved).toBe(false)
  expect(past.takeTold(told)).toBe(false)
  expect(past.moved).toBe(true)
})

test('text of a reply that grew is joined from its notes until the reply is recorded', () => {
  const grown = [
    event('message.started', { messageId: 'm' }),
    note('sketch', { messageId: 'm', text: 'Hm.', reasoning: true }),
    note('sketch', { messageId: 'm', text: 'Hel' }),
    note('sketch', { messageId: 'm', text: 'lo' }),
  ]
  expect(readUnfinishedTurn(turn, grown).partial).toEqual({ messageId: 'm', text: 'Hello', reasoning: 'Hm.' })
  const recorded = [...grown, event('message.added', { messageId: 'm', role: 'assistant', message: reply('m') })]
  expect(readUnfinishedTurn(turn, recorded).partial).toBeUndefined()
})
