import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from './app-state.ts'
import { keepUnsentMessages } from './keep-unsent-messages.ts'

let kept: string | null
let full = false
let hide: () => void = () => {}

beforeEach(() => {
  kept = null
  full = false
  vi.useFakeTimers()
  vi.stubGlobal('window', { addEventListener: (_: string, run: () => void) => (hide = run) })
  vi.stubGlobal('sessionStorage', {
    getItem: () => kept,
    setItem(_: string, value: string) {
      if (full) throw new Error('quota')
      kept = value
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const queued = { id: 'q', conversationId: 'c', text: 'later', files: [] }

test('drafts, edits and queued messages outlive a reload; a file that was not uploaded yet does not', () => {
  givePage({})
  keepUnsentMessages()
  const file = { key: 'k', name: 'a.txt', mediaType: 'text/plain' }
  const uploaded = { ...file, key: 'l', id: 'f' }
  const pastes = [{ key: 'p', text: 'long' }]
  useAppState.setState({
    draft: { text: 'half a', files: [file, uploaded], pastes },
    edits: { m: { text: 'better', isOnItsWay: true } },
    queuedMessages: [queued],
  })
  hide()
  const stored = kept
  givePage({})
  kept = stored
  keepUnsentMessages()
  expect(useAppState.getState()).toMatchObject({
    draft: { text: 'half a', files: [uploaded], pastes },
    edits: { m: { text: 'better', isOnItsWay: false } },
    queuedMessages: [queued],
  })
})

test('a message that is too large to be stored stays in the page', () => {
  givePage({})
  keepUnsentMessages()
  full = true
  useAppState.setState({ draft: { text: 'large', files: [], pastes: [] } })
  vi.runAllTimers()
  expect(useAppState.getState().draft.text).toBe('large')
})
