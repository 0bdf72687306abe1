import type { AskedRequest, ConversationSummary } from 'turnbuckle/client'
import { afterEach, expect, test, vi } from 'vitest'
import { givePage } from '../../../test/conversation.ts'
import { useAppState } from '../../state/app-state.ts'
import { newlyWaiting, notificationState, notifyOfQuestions } from './notify-of-questions.ts'

afterEach(() => vi.unstubAllGlobals())

const one = (id: string, waiting: number) => ({ id, waiting, title: `title of ${id}` }) as ConversationSummary

test('a conversation is newly waiting when more questions wait there than before', () => {
  expect(newlyWaiting([one('a', 0), one('b', 1)], [one('a', 1), one('b', 1), one('c', 2)])).toMatchObject([
    { id: 'a' },
    { id: 'c' },
  ])
  expect(newlyWaiting(undefined, [one('a', 1)])).toEqual([])
})

function browser(permission: string, isFocused: boolean) {
  const told: string[] = []
  class Told {
    static permission = permission
    constructor(title: string) {
      told.push(title)
    }
  }
  vi.stubGlobal('Notification', Told)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('document', { hasFocus: () => isFocused })
  return told
}

test.each([
  { permission: 'granted', isFocused: false, told: ['title of a'] },
  { permission: 'granted', isFocused: true, told: [] },
  { permission: 'default', isFocused: false, told: [] },
  { permission: 'denied', isFocused: false, told: [] },
])('permission $permission, focus $isFocused: $told', ({ permission, isFocused, told }) => {
  const given = browser(permission, isFocused)
  givePage({ list: [one('a', 0)] })
  const end = notifyOfQuestions()
  useAppState.setState({ list: [one('a', 1)] })
  end()
  useAppState.setState({ list: [one('a', 2)] })
  expect(given).toEqual(told)
})

test('over plain HTTP nothing is asked for', () => {
  browser('default', false)
  expect(notificationState()).toBe('askable')
  vi.stubGlobal('isSecureContext', false)
  expect(notificationState()).toBe('refused')
})

const asked = (payload: unknown) =>
  ({ id: 'r', kind: 'permission', payload, conversationId: 'c', owner: 'ada' }) as unknown as AskedRequest

test('a click on another’s question leads to its card, and opens no conversation', () => {
  const shown: string[] = []
  const made: { onclick?: () => void }[] = []
  class Told {
    static permission = 'granted'
    onclick?: () => void
    constructor() {
      made.push(this)
    }
    close() {}
  }
  vi.stubGlobal('Notification', Told)
  vi.stubGlobal('isSecureContext', true)
  const querySelector = (what: string) => ({ scrollIntoView: () => shown.push(what) })
  vi.stubGlobal('document', { hasFocus: () => false, querySelector })
  vi.stubGlobal('window', { focus: () => shown.push('window') })
  givePage({})
  const end = notifyOfQuestions()
  useAppState.setState({ askedRequests: [asked({})] })
  end()
  made[0]?.onclick?.()
  expect(shown).toEqual(['window', '.asked'])
  expect(useAppState.getState().openId).toBeUndefined()
})

test('a browser that throws for a notification breaks nothing', () => {
  class Throws {
    static permission = 'granted'
    constructor() {
      throw new TypeError('Illegal constructor')
    }
  }
  browser('granted', false)
  vi.stubGlobal('Notification', Throws)
  givePage({ list: [one('a', 0)] })
  const end = notifyOfQuestions()
  expect(() => useAppState.setState({ list: [one('a', 1)] })).not.toThrow()
  end()
})
