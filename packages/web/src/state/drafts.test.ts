import { expect, test } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from './app-state.ts'
import { addToDraft, switchDraft } from './drafts.ts'

const file = { mediaType: 'text/plain', data: 'YQ==' }

test('each conversation has its own draft, files included, and the blank page too', () => {
  givePage({ draft: { text: 'new', files: [] } })
  switchDraft('a')
  expect(useAppState.getState().draft.text).toBe('')
  useAppState.setState({ openId: 'a', draft: { text: 'for a', files: [file] } })
  switchDraft('b')
  useAppState.setState({ openId: 'b' })
  switchDraft('a')
  expect(useAppState.getState().draft).toEqual({ text: 'for a', files: [file] })
  useAppState.setState({ openId: 'a' })
  switchDraft(undefined)
  expect(useAppState.getState().draft.text).toBe('new')
})

test('a message that could not be sent comes back to the draft of its conversation', () => {
  givePage({ openId: 'a', draft: { text: 'here', files: [] } })
  addToDraft('a', { text: 'more', files: [] })
  addToDraft('b', { text: 'there', files: [file] })
  const { draft, drafts } = useAppState.getState()
  expect([draft.text, drafts]).toEqual(['here\nmore', { b: { text: 'there', files: [file] } }])
})
