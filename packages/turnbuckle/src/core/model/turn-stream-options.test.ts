import { createAgent } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('a scripted model waits on the clock of its agent', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: scriptedModel([{ text: 'Late', delayMs: 60_000 }]), clock }).send('Go')
  await clock.advance(59_999)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  expect((await turn).text).toBe('Late')
})
