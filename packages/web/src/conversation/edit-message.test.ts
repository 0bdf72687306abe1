import { expect, test } from 'vitest'
import { givePage, node } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { beginEdit, cancelEdit, dropEdit, submitEdit, writeEdit } from './edit-message.ts'

const message = node('m', 'parent', { text: 'Hello.' })
const edits = () => useAppState.getState().edits

test('an edit begins with the words of its message, and is dropped whole', () => {
  givePage({})
  beginEdit(message)
  expect(edits()).toEqual({ m: { text: 'Hello.', isOnItsWay: false } })
  dropEdit('m')
  expect(edits()).toEqual({})
})

test('a changed edit that is given up can be taken back; an unchanged one is just gone', () => {
  givePage({})
  beginEdit(message)
  cancelEdit(message)
  expect(useAppState.getState().notice).toBeUndefined()
  writeEdit('m', 'Hello, you.')
  cancelEdit(message)
  expect(edits()).toEqual({})
  useAppState.getState().notice?.action?.run()
  expect(edits()).toEqual({ m: { text: 'Hello, you.', isOnItsWay: false } })
})

test('an edit is sent once, beside its message, and is gone when the server has it', async () => {
  const sent: unknown[] = []
  givePage({ openId: 'c', status: 'offline' }, { send: async (_, turn) => sent.push(turn) as never })
  beginEdit(message)
  writeEdit('m', 'Hello, you.')
  const sending = submitEdit(message)
  await submitEdit(message)
  expect(edits()).toEqual({ m: { text: 'Hello, you.', isOnItsWay: true } })
  await sending
  expect(sent).toEqual([{ text: 'Hello, you.', parentId: 'parent' }])
  expect(edits()).toEqual({})
})

test('an edit that fails is kept, also where another conversation is open by then', async () => {
  const send = async () => {
    useAppState.setState({ openId: 'other' })
    throw new Error('no connection')
  }
  givePage({ openId: 'c', status: 'offline' }, { send })
  beginEdit(message)
  await submitEdit(message)
  expect(edits()).toEqual({ m: { text: 'Hello.', isOnItsWay: false } })
})

test('an edit without words is not sent', async () => {
  givePage({ openId: 'c' })
  writeEdit('m', '  ')
  await submitEdit(message)
  expect(edits()).toEqual({ m: { text: '  ', isOnItsWay: false } })
})
