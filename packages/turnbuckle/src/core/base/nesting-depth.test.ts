import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('snapshot, restore, fork', () => {
  test('a hook that calls the agent for ever meets the depth limit', async () => {
    const recursive = middleware({
      name: 'recursive',
      async beforeTurn(ctx) {
        await ctx.agent.send('Again')
      },
    })
    const { status, error } = await createAgent({ model: scriptedModel([]), use: [recursive] }).send('Go').settled
    expect(status).toBe('failed')
    let cause = error
    while ((cause as Error).cause) cause = (cause as Error).cause
    expect(cause).toMatchObject({ code: 'agent.depth' })
  })
})

describe('an agent that calls itself', () => {
  test.each(['a hook', 'a wrap', 'a tool'])('in %s, by its own name, is stopped by the depth limit', async where => {
    let sent = 0
    const call = scriptedModel([{ calls: [{ name: 'self' }] }, 'Done'], { repeat: true })
    const self = async (): Promise<void> => {
      if (++sent < 100) await agent.send('Go')
    }
    const agent = createAgent({
      model: call,
      tools: [tool({ name: 'self', run: () => (where === 'a tool' ? self() : undefined) })],
      use: [
        middleware({
          name: 'self',
          beforeModel: () => (where === 'a hook' ? self() : undefined),
          async wrapModel(_ctx, next) {
            if (where === 'a wrap') await self()
            return next()
          },
        }),
      ],
    })
    await agent.send('Go').settled
    expect(sent).toBeLessThan(100)
  })
})
