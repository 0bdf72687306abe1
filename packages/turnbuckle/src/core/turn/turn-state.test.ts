import { createAgent, type Model, middleware, stop, tool } from 'turnbuckle'
import { timeLimit } from 'turnbuckle/middleware'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
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

describe('hooks that a turn has left behind when it is over', () => {
  test('a model call of a hook that waits in a wrap until its stopped turn is over is not made', async () => {
    const clock = virtualClock()
    const judge = scriptedModel(['Yes.'])
    const refused: unknown[] = []
    const use = [
      middleware({
        name: 'asks',
        timeout: 10,
        onFailure: 'open',
        beforeInput: ctx => ctx.generate(judge, 'Well?').then(() => undefined),
        afterInput: () => stop('enough'),
      }),
      middleware({
        name: 'waits',
        async wrapGenerate(_ctx, next) {
          await new Promise<void>(resolve => clock.after(100, resolve))
          return next().catch(error => {
            refused.push(error.code)
            throw error
          })
        },
      }),
    ]
    const turn = createAgent({ model: scriptedModel(['Hi']), clock, use }).send('Go')
    await clock.advance(200)
    expect(await turn.settled).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect([refused, judge.prompts.length]).toEqual([['stage.stopped'], 0])
  })

  test('a guard whose wait for a chunk ends with the turn is not asked about the chunks behind it, only told the end', async () => {
    const clock = virtualClock()
    const asked: string[] = []
    const slow = middleware({
      name: 'slow',
      guard: true,
      onChunk: ({ type }) => {
        if (type === 'start') return
        asked.push(type)
        return new Promise<undefined>(() => {})
      },
    })
    const model: Model = {
      id: 'pair',
      async *stream() {
        yield [
          { type: 'text', text: 'One' },
          { type: 'finish', reason: 'stop' },
        ]
      },
    }
    const turn = createAgent({ model, clock, use: [slow, timeLimit(50)] }).send('Go')
    await clock.advance(100)
    expect(await turn.settled).toMatchObject({ status: 'stopped', by: 'time-limit' })
    expect(asked).toEqual(['text', 'end'])
  })
})
