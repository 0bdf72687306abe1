import { expect, test } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from './app-state.ts'
import { addToDraft, attachmentsOfDraft, changeDraftFile, isSendable, switchDraft, textOfDraft } from './drafts.ts'

const file = { key: 'k', name: 'a.txt', mediaType: 'text/plain', id: 'f' }

test('each conversation has its own draft, files included, and the blank page too', () => {
  givePage({ draft: { text: 'new', files: [], pastes: [] } })
  switchDraft('a')
  expect(useAppState.getState().draft.text).toBe('')
  useAppState.setState({ openId: 'a', draft: { text: 'for a', files: [file], pastes: [] } })
  switchDraft('b')
  useAppState.setState({ openId: 'b' })
  switchDraft('a')
  expect(useAppState.getState().draft).toEqual({ text: 'for a', files: [file], pastes: [] })
  useAppState.setState({ openId: 'a' })
  switchDraft(undefined)
  expect(useAppState.getState().draft.text).toBe('new')
})

test('a message that could not be sent comes back to the draft of its conversation', () => {
  givePage({ openId: 'a', draft: { text: 'here', files: [], pastes: [] } })
  addToDraft('a', { text: 'more', files: [] })
  addToDraft('b', { text: 'there', files: [file] })
  const { draft, drafts } = useAppState.getState()
  expect([draft.text, drafts]).toEqual(['here\nmore', { b: { text: 'there', files: [file], pastes: [] } }])
})

test('a file whose upload ends after another conversation was opened is changed in its own draft', () => {
  givePage({ openId: 'b', drafts: { a: { text: '', files: [{ ...file, id: '' }], pastes: [] } } })
  changeDraftFile('k', one => ({ ...one, id: 'f' }))
  expect(useAppState.getState().drafts['a']?.files).toEqual([file])
})

test('folded pastes stand behind the words; a paste or a file alone can be sent', () => {
  const pasted = { text: 'See:', files: [], pastes: [{ key: 'p', text: 'one\ntwo' }] }
  expect(textOfDraft(pasted)).toBe('See:\n\none\ntwo')
  expect(
    [pasted, { text: ' ', files: [file], pastes: [] }, { text: ' ', files: [], pastes: [] }].map(isSendable),
  ).toEqual([true, true, false])
  expect(attachmentsOfDraft([file])).toEqual([{ id: 'f' }])
})
