import { createAgent } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type InterruptionOptions, interruption, type KeyPress } from './interruption.ts'

function keyboard() {
  const listeners = new Set<(press: KeyPress) => void>()
  return {
    press: (press: KeyPress) => {
      for (const listener of listeners) listener(press)
    },
    listening: () => listeners.size,
    listen(listener: (press: KeyPress) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

test.each<{
  name: string
  presses: (string | number)[]
  times?: number
  ends: string
  options?: Partial<InterruptionOptions>
}>([
  { name: 'twice', presses: ['escape', 'escape'], ends: 'interrupted' },
  { name: 'once', presses: ['escape'], ends: 'completed' },
  { name: 'twice within half a second', presses: ['escape', 500, 'escape'], ends: 'interrupted' },
  { name: 'twice, too slowly', presses: ['escape', 501, 'escape'], ends: 'completed' },
  { name: 'slowly, then quickly', presses: ['escape', 501, 'escape', 10, 'escape'], ends: 'interrupted' },
  { name: 'another key between', presses: ['escape', 'a', 'escape'], ends: 'completed' },
  { name: 'two in one report', presses: ['escape'], times: 2, ends: 'interrupted' },
  { name: 'another key, once', presses: ['q'], ends: 'interrupted', options: { key: 'q', presses: 1 } },
  { name: 'a window of its own', presses: ['escape', 100, 'escape'], ends: 'completed', options: { within: 50 } },
])('escape $name: $ends', async ({ presses, times = 1, ends, options }) => {
  const clock = virtualClock()
  const keys = keyboard()
  const model = scriptedModel([{ text: 'done', delayMs: 5000 }], { clock })
  const turn = createAgent({ model, use: [interruption({ keys, ...options })], clock }).send('?')
  await clock.advance(1)
  expect(keys.listening()).toBe(1)
  for (const press of presses) {
    if (typeof press === 'number') await clock.advance(press)
    else keys.press({ key: press, times })
  }
  await clock.advance(10_000)
  expect((await turn).status).toBe(ends)
  await clock.advance(1)
  expect(keys.listening()).toBe(0)
})
