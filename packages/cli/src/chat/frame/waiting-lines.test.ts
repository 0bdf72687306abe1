import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import { emptyView } from '../transcript/recorded-view.ts'
import { hasToTakeBack, waitingLines } from './waiting-lines.ts'

test('what the running turn hears stands above what waits for its end; what a tool said is not the person’s to take back', () => {
  const queued = [
    { turnId: 't', text: 'now\nthis' },
    { turnId: 't', text: 'from a tool', by: 'look' },
  ]
  const lines = waitingLines({ ...emptyChatState, view: { ...emptyView, queued }, queue: ['later \x1b[31mred'] })
  expect(lines).toEqual(['↳ now this (after the current step)', expect.stringMatching(/^⧗ later .*red$/)])
  expect(lines.join('')).not.toContain('\x1b')
})

test('a message can be taken back where one waits', () => {
  expect([hasToTakeBack(emptyChatState), hasToTakeBack({ ...emptyChatState, queue: ['later'] })]).toEqual([false, true])
})
