import type { Event } from 'turnbuckle'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ChatState, emptyChatState } from '../transcript/chat-state.ts'
import { EventFrames } from './event-frames.ts'
import type { ShownChat } from './shown-chat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function framed(kept: () => Promise<void> = async () => {}) {
  let state: ChatState = emptyChatState
  let changes = 0
  const set = (change: (state: ChatState) => ChatState) => {
    state = change(state)
    changes++
  }
  const frames = new EventFrames({ set } as unknown as ShownChat, kept)
  return {
    frames,
    changes: () => changes,
    text: () => state.live.map(item => ('text' in item ? item.text : '')).join(),
  }
}
const event = (fields: object) => ({ at: 1, turnId: 'turn_a', messageId: 'msg_a', ...fields }) as unknown as Event
const started = event({ type: 'message.started', role: 'assistant' })
const delta = (text: string) => event({ type: 'message.delta', kind: 'text', text })

test('deltas of one frame are one change', async () => {
  const { frames, changes, text } = framed()
  frames.hear(started)
  for (const word of ['one ', 'two ', 'three']) frames.hear(delta(word))
  expect(changes()).toBe(1)
  await vi.advanceTimersByTimeAsync(40)
  expect([changes(), text()]).toEqual([2, 'one two three'])
})

test('text is shown when the log has it, and before whatever else comes after it', async () => {
  let keep = () => {}
  const { frames, changes, text } = framed(() => new Promise(resolve => (keep = () => resolve())))
  frames.hear(started)
  frames.hear(delta('one'))
  await vi.advanceTimersByTimeAsync(40)
  expect(text()).toBe('')
  frames.hear(event({ type: 'step.started' }))
  expect([changes(), text()]).toEqual([2, 'one'])
  keep()
  await vi.advanceTimersByTimeAsync(40)
  expect([changes(), text()]).toEqual([2, 'one'])
})

test('text that comes while the log keeps what another event has shown waits for no further event', async () => {
  let keep = () => {}
  const { frames, text } = framed(() => new Promise(resolve => (keep = () => resolve())))
  frames.hear(started)
  frames.hear(delta('one'))
  await vi.advanceTimersByTimeAsync(40)
  frames.hear(event({ type: 'step.started' }))
  frames.hear(delta(' two'))
  keep()
  await vi.advanceTimersByTimeAsync(40)
  keep()
  await vi.advanceTimersByTimeAsync(0)
  expect(text()).toBe('one two')
})
