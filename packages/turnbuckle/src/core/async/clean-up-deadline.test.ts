import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { CleanUpDeadline } from './clean-up-deadline.ts'

const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })

describe('interrupt', () => {
  test('after hooks run with a fresh signal; the next turn waits for them', async () => {
    const clock = virtualClock()
    const order: string[] = []
    const tidy = middleware({
      name: 'tidy',
      async afterTurn(ctx) {
        order.push(`${ctx.status} ${ctx.signal.aborted}`)
        await ctx.clock.sleep(100)
        order.push('tidied')
      },
      beforeTurn: () => void order.push('begins'),
    })
    const model = scriptedModel([{ calls: [{ name: 'deaf' }] }, 'Hi'])
    const chat = createAgent({ model, tools: [deaf], use: [tidy], clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(1)
    turn.interrupt()
    await turn
    const next = chat.send('Next')
    await clock.advance(50)
    expect(order).toEqual(['begins', 'interrupted false'])
    await clock.advance(200)
    await next
    expect(order).toEqual(['begins', 'interrupted false', 'tidied', 'begins', 'done false', 'tidied'])
    expect(clock.timers).toBe(0)
  })
})

describe('the deadline', () => {
  const never = () => new Promise<never>(() => {})

  test('ends what still waits when its time is up, and what begins to wait later at once', async () => {
    const clock = virtualClock()
    const deadline = new CleanUpDeadline()
    deadline.start(clock, 100)
    const waiting = deadline.race(never())
    const ended = expect(waiting).rejects.toMatchObject({ code: 'turn.interrupted' })
    await clock.advance(100)
    await ended
    await expect(deadline.race(never())).rejects.toMatchObject({ code: 'turn.interrupted' })
  })

  test('lets through what is done in time', async () => {
    const deadline = new CleanUpDeadline()
    deadline.start(virtualClock(), 100)
    expect(await deadline.race(Promise.resolve('tidied'))).toBe('tidied')
  })

  test('leaves no timer once nothing unwinds any more', () => {
    const clock = virtualClock()
    const deadline = new CleanUpDeadline()
    deadline.start(clock, 100)
    expect(clock.timers).toBe(1)
    deadline.off()
    expect(clock.timers).toBe(0)
  })
})
