import { createAgent, middleware, replace, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('replace', () => {
  test('a result that was told and then replaced is told again, as the append hooks have left it', async () => {
    const calls = [{ name: 'look' }, { name: 'look' }]
    const corrects = middleware({
      name: 'corrects',
      afterTools: ctx => replace([ctx.results[0], 'secret']),
      beforeAppend: ctx => {
        const [part] = ctx.message.content
        if (part?.type === 'result' && part.value === 'secret')
          ctx.message = { ...ctx.message, content: [{ ...part, value: 'hidden' }] }
      },
    })
    const look = tool({ name: 'look', run: () => 'seen' })
    const turn = createAgent({ model: scriptedModel([{ calls }, 'Done.']), tools: [look], use: [corrects] }).send('Go')
    const told: unknown[] = []
    for await (const event of turn)
      if (event.type === 'message.replaced') told.push(...event.message.content)
      else if (event.type === 'tool.completed') told.push(event.result)
    expect(told).toEqual(['seen', 'seen', expect.objectContaining({ type: 'result', value: 'hidden' })])
  })
})
