import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from './app-state.ts'
import { keepUnsentMessages } from './keep-unsent-messages.ts'

let kept: string | null
let full = false

beforeEach(() => {
  kept = null
  full = false
  vi.stubGlobal('sessionStorage', {
    getItem: () => kept,
    setItem(_: string, value: string) {
      if (full) throw new Error('quota')
      kept = value
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const queued = { id: 'q', conversationId: 'c', text: 'later', attachments: [] }

test('text and queued messages outlive a reload; files of the draft do not', () => {
  givePage({})
  keepUnsentMessages()
  const file = { mediaType: 'text/plain', data: 'YQ==' }
  useAppState.setState({ draft: { text: 'half a', files: [file] }, queuedMessages: [queued] })
  const stored = kept
  givePage({})
  kept = stored
  keepUnsentMessages()
  expect(useAppState.getState()).toMatchObject({ draft: { text: 'half a', files: [] }, queuedMessages: [queued] })
})

test('a message that is too large to be stored stays in the page', () => {
  givePage({})
  keepUnsentMessages()
  full = true
  useAppState.setState({ draft: { text: 'large', files: [] } })
  expect(useAppState.getState().draft.text).toBe('large')
})
