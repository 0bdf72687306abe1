import { expect, test } from 'vitest'
import { addItem, addNotice, changeItem, closeLiveItems } from './change-item.ts'
import { type ChatState, emptyChatState } from './chat-state.ts'
import type { TranscriptItem } from './transcript-item.ts'

const reply = (id: string, done = false): TranscriptItem => ({ kind: 'reply', id, text: id, reasoning: '', done })
const ids = ({ past, live }: ChatState) => ({ past: past.map(({ id }) => id), live: live.map(({ id }) => id) })

test('a finished item waits behind one that still changes', () => {
  const state = [reply('a'), reply('b', true)].reduce(addItem, emptyChatState)
  expect(ids(state)).toEqual({ past: [], live: ['a', 'b'] })
  const after = changeItem(state, 'a', item => ({ ...item, done: true }) as TranscriptItem)
  expect(ids(after)).toEqual({ past: ['a', 'b'], live: [] })
})

test('a notice goes above the live items', () => {
  const state = addNotice(addItem(emptyChatState, reply('a')), 'heard')
  expect(state).toMatchObject({ past: [{ kind: 'notice', text: 'heard' }], live: [{ id: 'a' }] })
})

test('closing marks what was not whole, and only that', () => {
  const state = closeLiveItems([reply('a'), reply('b', true)].reduce(addItem, emptyChatState), 'cut off')
  expect(state).toMatchObject({ live: [], activity: '', past: [{ id: 'a', cut: 'cut off' }, { id: 'b' }] })
  expect(state.past[1]).not.toHaveProperty('cut')
})
