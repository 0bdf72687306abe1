import { createAgent, type Model, middleware, TurnbuckleError, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const late = () => new TurnbuckleError('test.late', 'too late', { kind: 'timeout' })
const timed = (stage: 'model' | 'tool', ms: number) => {
  const limit = (clock: { after(ms: number, run: () => void): () => void }) => {
    const controller = new AbortController()
    return { signal: controller.signal, off: clock.after(ms, () => controller.abort(late())) }
  }
  return middleware({
    name: 'timed',
    wrapModel: (ctx, next) => {
      if (stage !== 'model') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
    wrapTool: (ctx, next) => {
      if (stage !== 'tool') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
  })
}

test('the signal given to next ends a model that does not listen, and its error is the stage’s', async () => {
  const clock = virtualClock()
  const deaf: Model = {
    id: 'deaf',
    async *stream() {
      yield { type: 'text', text: 'par' }
      await new Promise<void>(resolve => clock.after(1000, resolve))
      yield { type: 'text', text: 'tial' }
    },
  }
  const turn = createAgent({ model: deaf, clock, use: [timed('model', 50)] }).send('go')
  await clock.advance(2000)
  const result = await turn.settled
  expect(result).toMatchObject({ status: 'failed', reason: 'too late', by: 'model', text: 'par' })
  expect(clock.timers).toBe(0)
})

test('the signal given to next reaches the tool and gives it the result timeout', async () => {
  const clock = virtualClock()
  let aborted = false
  const slow = tool({
    name: 'echo',
    run: (_args, ctx) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  })
  const model = scriptedModel([{ calls: [{ name: 'echo' }] }, 'done'])
  const turn = createAgent({ model, tools: [slow], clock, use: [timed('tool', 50)] }).send('go')
  await clock.advance(60)
  const { status, messages } = await turn
  expect([status, aborted]).toEqual(['completed', true])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'timeout', value: 'too late' })
})
