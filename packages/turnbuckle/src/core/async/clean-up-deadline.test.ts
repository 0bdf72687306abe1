import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

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
