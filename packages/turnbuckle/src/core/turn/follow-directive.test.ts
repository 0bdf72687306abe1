import { again, type Context, createAgent, fail, finish, goto, middleware, rewind, stop, textOf } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look } from '../../../test/support/looking.ts'
import { resultsOf } from '../../../test/support/results-of.ts'
import { lookTwice, turnWith } from '../../../test/support/turn-with.ts'

describe('stop', () => {
  test.each([
    { hook: 'beforeTurn', calls: 0, results: [] },
    { hook: 'beforeInput', calls: 0, results: [] },
    { hook: 'afterInput', calls: 0, results: [] },
    { hook: 'beforeStep', calls: 0, results: [] },
    { hook: 'beforeModel', calls: 0, results: [] },
    { hook: 'wrapModel', calls: 0, results: [] },
    { hook: 'afterModel', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'beforeDetect', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'afterDetect', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'beforeTools', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'wrapTools', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'beforeTool', calls: 1, results: ['blocked', 'blocked'] },
    { hook: 'wrapTool', calls: 1, results: ['blocked', 'ok'] },
    { hook: 'afterTool', calls: 1, results: ['ok', 'blocked'] },
    { hook: 'afterTools', calls: 1, results: ['ok', 'ok'] },
    { hook: 'beforeDecide', calls: 1, results: ['ok', 'ok'] },
    { hook: 'afterDecide', calls: 1, results: ['ok', 'ok'] },
    { hook: 'afterStep', calls: 1, results: ['ok', 'ok'] },
  ])('in $hook: nothing more begins, open calls are blocked', async ({ hook, calls, results }) => {
    const seen = await turnWith(hook, () => stop('enough', { say: 'I stop here.' }))
    expect(seen.result).toMatchObject({ status: 'stopped', reason: 'enough', by: 'steer', text: 'I stop here.' })
    expect(seen.calls).toBe(calls)
    const statuses = seen.results.map(({ status }) => status)
    // The other call runs beside the one that stops the turn.
    expect(statuses).toEqual(results)
    expect(seen.turn.explain()).toMatchObject([{ directive: 'stop', by: 'steer', at: hook, won: true }])
  })
})

describe('again, finish', () => {
  test('again: one more step, and the model is told why', async () => {
    const critic = middleware({
      name: 'critic',
      afterDecide: ctx => (!ctx.goesOn && ctx.step === 0 ? again('Too short.') : undefined),
    })
    const used = scriptedModel(['Hm', 'A longer answer.'])
    const chat = createAgent({ model: used, use: [critic] }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'A longer answer.', steps: 2 })
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Hm', 'Too short.', 'A longer answer.'])
    expect(chat.messages[2]).toMatchObject({ role: 'user', by: 'critic' })
  })
  test.each(['beforeStep', 'beforeModel', 'beforeTool', 'afterTool', 'beforeDecide'])(
    'finish in %s: the step is worked to its end, then the turn is completed',
    async hook => {
      const { result, results, calls } = await turnWith(hook, () => finish('enough'))
      expect(result).toMatchObject({ status: 'completed', reason: 'enough', by: 'steer' })
      expect(results.map(({ status }) => status)).toEqual(['ok', 'ok'])
      expect(calls).toBe(1)
    },
  )
  test('again beats finish; what lost is spent', async () => {
    const both = [
      middleware({ name: 'ends', afterDecide: ctx => (ctx.step === 0 ? finish('enough') : undefined) }),
      middleware({ name: 'goes', afterDecide: ctx => (ctx.step === 0 ? again('More.') : undefined) }),
    ]
    const turn = createAgent({ model: scriptedModel(['One', 'Two']), use: both }).send('Go')
    expect(await turn).toMatchObject({ status: 'completed', reason: 'done', by: 'model', steps: 2 })
    expect(turn.explain().map(({ directive, won }) => [directive, won])).toEqual([
      ['again', true],
      ['finish', false],
    ])
  })
})

describe('goto, rewind, fail', () => {
  test('goto decide leaves the tools out; their calls are settled', async () => {
    const { results, result } = await turnWith('afterDetect', () => goto('decide'))
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['blocked', 'left behind by steer'],
      ['blocked', 'left behind by steer'],
    ])
    expect(result.status).toBe('completed')
  })
  test.each(['afterDetect', 'afterAppend'])('goto tools in %s runs the calls', async hook => {
    let gone = false
    const steer = middleware({
      name: 'steer',
      [hook]: (ctx: Context) => {
        if (gone || !ctx.draft.reply) return
        gone = true
        return goto('tools')
      },
    } as Parameters<typeof middleware>[0])
    const agent = createAgent({ model: lookTwice(), tools: [look], use: [steer] })
    const { messages } = await agent.send('Go')
    expect(resultsOf(messages).map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(checkHistory(messages)).toEqual([])
  })
  test('goto tools after they ran does not run them again', async () => {
    const { results, result } = await turnWith('afterTools', () => goto('tools'))
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(result.status).toBe('completed')
  })
  test('goto detect looks at the same reply once more', async () => {
    const { results, calls } = await turnWith('afterDetect', () => goto('detect'))
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(calls).toBe(2)
  })
  test('goto model in the same step: the first reply is left behind', async () => {
    const { chat, calls } = await turnWith('afterModel', () => goto('model'))
    expect(calls).toBe(2)
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Done'])
  })
  test('goto tools at the end of a step opens no empty batch', async () => {
    const { result } = await turnWith('afterDecide', () => goto('tools'))
    expect(result.status).toBe('completed')
  })
  test('goto an unknown stage fails with the stages that there are', async () => {
    const { result } = await turnWith('afterModel', () => goto('modle'))
    expect(result.status).toBe('failed')
    expect(result.error).toMatchObject({ code: 'stage.unknown' })
    expect(String(result.error)).toMatch(/Did you mean "model"\?.*model, detect, append, tools, decide/)
  })
  test('rewind to a step: a new branch from where it began; the old one stays', async () => {
    const { chat, result } = await turnWith('afterDecide', () => rewind(0, 'Another way, please.'))
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Another way, please.', 'Done'])
    expect(chat.tree.filter(({ parentId }) => parentId === chat.tree[0]?.id)).toHaveLength(2)
    expect(result.steps).toBe(2)
  })
  test('rewind to a message, and to a snapshot', async () => {
    for (const to of ['message', 'snapshot'] as const) {
      let point: ReturnType<typeof rewind> | undefined
      const steer = middleware({
        name: 'steer',
        beforeStep(ctx) {
          if (ctx.step === 0) point = rewind(to === 'message' ? (ctx.messages.at(0)?.id ?? '') : ctx.snapshot())
        },
        afterDecide: ctx => (ctx.step === 0 ? point : undefined),
      })
      const chat = createAgent({ model: lookTwice(), tools: [look], use: [steer] }).conversation()
      await chat.send('Go')
      expect(chat.messages.map(textOf)).toEqual(['Go', 'Done'])
    }
  })
  test.each([
    { to: 7, code: 'rewind.step' },
    { to: 'nobody', code: 'rewind.missing' },
  ])('rewind to $to, which is not there, fails', async ({ to, code }) => {
    const { result } = await turnWith('afterDecide', () => rewind(to))
    expect(result).toMatchObject({ status: 'failed', error: { code } })
  })
  test.each(['beforeTurn', 'beforeModel', 'wrapTool', 'afterTool', 'afterDecide', 'afterTurn'])(
    'fail in %s ends the turn as failed',
    async hook => {
      const error = new Error('that was it')
      const { result, turn } = await turnWith(hook, () => fail(error))
      expect(result).toMatchObject({ status: 'failed', reason: 'that was it', by: 'steer', error })
      await expect(Promise.resolve(turn)).rejects.toBe(error)
      expect((error as Error & { result?: unknown }).result).toMatchObject({ status: 'failed' })
    },
  )
})
