import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { lostTurn } from './lost-turn.ts'

const store = (code: string) => new TurnbuckleError(code, 'x', { kind: 'store' })

test.each([
  { name: 'that another process holds', error: store('conversation.locked'), started: true, is: 'writeRefused' },
  { name: 'that another process took over', error: store('store.fenced'), started: true, is: 'writeFailed' },
  { name: 'that another process ended', error: store('turn.ended'), started: true, is: 'writeFailed' },
  { name: 'of a deleted conversation', error: store('conversation.deleted'), started: true, is: 'writeFailed' },
  { name: 'in which the store failed', error: store('store.failed'), started: true, is: 'turnCutOff', isEnd: true },
  { name: 'with an unknown error', error: new Error('disk full'), started: true, is: 'turnCutOff', isEnd: true },
  { name: 'that never started', error: new Error('disk full'), started: false, is: 'writeFailed', isEnd: true },
  {
    name: 'whose log is damaged',
    error: store('store.damaged'),
    started: true,
    is: 'writeFailed',
    isEnd: true,
    isStuck: true,
  },
  {
    name: 'whose tool is missing',
    error: new TurnbuckleError('tool.unknown', 'x'),
    started: true,
    is: 'writeFailed',
    isEnd: true,
    isStuck: true,
  },
])('a turn $name: $is', ({ error, started, is, isEnd = false, isStuck = false }) => {
  expect(lostTurn(error, started)).toEqual({ happening: is, isEnd, isStuck })
})
