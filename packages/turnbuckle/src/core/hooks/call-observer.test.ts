import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const failing = (thrown: unknown) => tool({ name: 'look', run: () => Promise.reject(thrown) })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

describe('without a policy', () => {
  test('a hook that throws in after, onChunk, onError or onEvent is reported, and the loop goes on', async () => {
    for (const hook of ['afterModel', 'afterTool', 'onChunk', 'onEvent', 'onError']) {
      const broken = middleware({
        name: 'broken',
        [hook]: () => {
          throw new Error('oops')
        },
      } as Parameters<typeof middleware>[0])
      const turn = createAgent({ model: looks(), tools: [failing(new Error('x'))], use: [broken] }).send('Go')
      expect((await turn.settled).status).toBe('completed')
      const reported: unknown[] = []
      for await (const event of turn)
        if (event.type === 'hook.failed') reported.push([event.name, event.point, event.error])
      expect(reported).toContainEqual(['broken', hook, 'oops'])
    }
  })
})

test.each(['onEvent', 'onOpen', 'onTrace'])('a directive that %s returns is reported: it cannot steer', async hook => {
  for (const returned of [stop('enough'), Promise.resolve(stop('enough'))]) {
    const steers = middleware({ name: 'steers', [hook]: () => returned } as Parameters<typeof middleware>[0])
    const turn = createAgent({ model: scriptedModel(['Done']), use: [steers] }).send('Go')
    const reported: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') reported.push(event.error)
    expect((await turn).status).toBe('completed')
    expect(reported[0]).toMatch(/returned stop, which makes no sense there. It only watches/)
  }
})
