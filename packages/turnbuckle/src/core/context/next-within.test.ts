import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { nextWithin, tooLate } from './next-within.ts'

/** The reply of a slow model, given so much time. */
async function within(ms: number) {
  const clock = virtualClock()
  const results: unknown[] = []
  const limit = middleware({
    name: 'limit',
    async wrapModel(ctx, next) {
      const result = await nextWithin(ctx, ms, next)
      results.push(result === tooLate ? 'too late' : 'in time')
      if (result === tooLate) throw new Error('too late')
      return result
    },
  })
  const model = scriptedModel([{ text: 'Now.', delayMs: 100 }], { clock })
  const turn = createAgent({ model, use: [limit], clock }).send('Go.')
  await clock.advance(1000)
  await turn.settled
  return results[0]
}

test.each([
  { ms: 1000, is: 'in time' },
  { ms: 10, is: 'too late' },
  { ms: 0, is: 'too late' },
])('a model of 100 ms that is given $ms is $is', async ({ ms, is }) => {
  expect(await within(ms)).toBe(is)
})
