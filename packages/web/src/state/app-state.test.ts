import { expect, test } from 'vitest'
import { useAppState } from './app-state.ts'

test('a page begins with nothing: nobody is signed in, nothing is open, and nothing is unsent', () => {
  expect(useAppState.getInitialState()).toMatchObject({
    client: undefined,
    openId: undefined,
    sending: false,
    draft: { text: '', files: [], pastes: [] },
    queuedMessages: [],
  })
})
