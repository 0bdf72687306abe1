import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('shared', () => {
  test('goes from hook to hook, frozen, and ends with the turn', async () => {
    const seen: unknown[] = []
    const writer = middleware({ name: 'writer', beforeTurn: ctx => ctx.shared.set('facts', { list: [1] }) })
    const reader = middleware({
      name: 'reader',
      afterModel(ctx) {
        const facts = ctx.shared.get<{ list: number[] }>('facts')
        seen.push(facts, Object.isFrozen(facts), Object.isFrozen(facts?.list))
      },
    })
    const agent = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [reader, writer] })
    await agent.send('Go')
    expect(seen).toEqual([{ list: [1] }, true, true])
    agent.disable('writer')
    seen.length = 0
    await agent.send('Go')
    expect(seen[0]).toBeUndefined()
  })
})
