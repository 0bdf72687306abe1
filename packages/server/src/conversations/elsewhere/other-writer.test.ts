import type { CommandAnswer, SharedTurns, TurnCommand } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import type { AskedTurn } from '../turns/asked-turn.ts'
import { OtherWriter, obeyCommand } from './other-writer.ts'

function writer(answer: CommandAnswer, isAskable = true) {
  const asked: TurnCommand[] = []
  const read: number[] = []
  const shared = {
    async ask(_: string, command: TurnCommand) {
      asked.push(command)
      return answer
    },
  } as unknown as SharedTurns
  const log = {
    isAskable,
    mayRunElsewhere: (id: string) => id === 't',
    readOthers: async (seq: number) => void read.push(seq),
  }
  return { other: new OtherWriter('c', log, shared), asked, read }
}

test('a turn that another process has started is known once its events are read', async () => {
  const { other, asked, read } = writer({ value: { turnId: 'u', seq: 7 } })
  expect(await other.start({ input: { text: 'hi' }, by: 'ada' })).toEqual({ turnId: 'u', seq: 7 })
  expect(asked).toMatchObject([{ type: 'own.start', input: { text: 'hi' }, by: 'ada' }])
  expect(read).toEqual([7])
})

test('where no other process works on a turn none is asked, and this one does it', async () => {
  const { other, asked } = writer({ value: null }, false)
  expect(await other.start({ input: { text: 'hi' }, by: 'ada' })).toBeUndefined()
  expect(await other.act('t', { type: 'interrupt' })).toBe(false)
  expect(asked).toEqual([])
})

test('a turn is acted on by the process that may work on it, if that answers', async () => {
  expect(await writer({ value: null }).other.act('t', { type: 'interject', text: 'wait' })).toBe(true)
  expect(await writer({ value: null }).other.act('mine', { type: 'interrupt' })).toBe(false)
  expect(await writer(undefined).other.act('t', { type: 'interrupt' })).toBe(false)
})

test('what is asked is obeyed by an open conversation; other commands are left to the turn’s handle', async () => {
  const done: unknown[] = []
  const conversation = {
    async startHere({ input, by }: AskedTurn) {
      done.push({ input, by })
      return { turnId: 'u', seq: 1 }
    },
    moveHere: async (to: string | null) => void done.push(to),
  }
  const start = { type: 'own.start', input: { text: 'hi' }, by: 'ada' } as const
  expect(await obeyCommand(conversation, start)).toEqual({ value: { turnId: 'u', seq: 1 } })
  expect(await obeyCommand(conversation, { type: 'moveHead', to: 'm' })).toEqual({ value: null })
  expect(done).toEqual([{ input: { text: 'hi' }, by: 'ada' }, 'm'])
  expect(obeyCommand(conversation, { type: 'rename', title: 'x' })).toBeUndefined()
  expect(obeyCommand(undefined, start)).toBeUndefined()
})

test('of a command to start a turn only what a turn is asked for with is obeyed', async () => {
  const started: unknown[] = []
  const conversation = {
    async startHere(turn: AskedTurn) {
      started.push(turn)
      return { turnId: 'u', seq: 1 }
    },
    moveHere: async () => {},
  }
  const command = { type: 'own.start', input: { text: 'hi' }, by: 'ada', use: ['foreign'] } as const
  await obeyCommand(conversation, command)
  expect(started).toEqual([{ input: { text: 'hi' }, by: 'ada', tag: undefined }])
  expect(started[0]).not.toHaveProperty('use')
})
