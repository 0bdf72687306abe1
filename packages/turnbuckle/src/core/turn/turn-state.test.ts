import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))

describe('nothing more begins once a step is ended', () => {
  test('a retry of the model after a guard stopped its stream is refused', async () => {
    let attempts = 0
    const retry = middleware({
      name: 'retry',
      async wrapModel(_ctx, next) {
        attempts++
        await next()
        attempts++
        return next()
      },
    })
    const guard = middleware({ name: 'guard', guard: true, onChunk: () => stop('not that') })
    const model = scriptedModel(['One', 'Two'])
    const turn = createAgent({ model, use: [retry, guard] }).send('Go')
    expect(await turn.settled).toMatchObject({ status: 'stopped', by: 'guard' })
    expect(attempts).toBe(2)
    expect(model.prompts).toHaveLength(1)
  })

  test('a call that waits in its wrap while another stops the turn is blocked', async () => {
    const ran: string[] = []
    const spy = tool({ name: 'look', run: (_args, ctx) => void ran.push(ctx.call.id) })
    const use = [
      middleware({
        name: 'waits',
        async wrapTool(ctx, next) {
          if (ctx.call.id === 'b') await settle()
          return next()
        },
      }),
      middleware({ name: 'stops', afterTool: ctx => (ctx.call.id === 'a' ? stop('enough') : undefined) }),
    ]
    const model = scriptedModel([
      {
        calls: [
          { name: 'look', id: 'a' },
          { name: 'look', id: 'b', args: { n: 1 } },
        ],
      },
    ])
    const { status, messages } = await createAgent({ model, tools: [spy], use }).send('Go').settled
    expect(status).toBe('stopped')
    expect(ran).toEqual(['a'])
    expect(checkHistory(messages)).toEqual([])
  })
})
