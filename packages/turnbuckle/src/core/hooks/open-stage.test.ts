import { createAgent, fail, type Model, middleware, skip, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const look = tool({ name: 'look', run: () => 'seen' })

describe('after hooks run', () => {
  test.each([
    { when: 'a before hook skipped', act: () => skip('cached'), status: 'skipped' },
    {
      when: 'a before hook threw',
      act: () => {
        throw new Error('broken')
      },
      status: 'failed',
    },
    { when: 'a before hook stopped', act: () => stop('no'), status: 'skipped' },
  ])('when $when', async ({ act, status }) => {
    const entered: unknown[] = []
    const watch = (name: string, priority: number) =>
      middleware({
        name,
        priority,
        beforeTool: () => {},
        afterTool: ctx => void entered.push([name, ctx.status, ctx.entered]),
      })
    const acting = middleware({ name: 'acting', beforeTool: act })
    const use = [watch('first', 1), acting, watch('last', 200)]
    await createAgent({ model: callsDanger({}), tools: [danger], use }).send('Go').settled
    expect(seen()).toEqual([])
    expect(entered).toEqual([
      ['last', status, false],
      ['first', status, true],
    ])
  })
})

describe('a stage is opened with all hooks of a middleware, or with none', () => {
  const seeing = (name: string, seen: string[], beforeModel: () => void) =>
    middleware({
      name,
      beforeModel,
      onChunk: ({ type }) => void seen.push(type),
      onError: () => void seen.push('error'),
      afterModel: () => void seen.push('after'),
    })
  const cut = () => scriptedModel([{ text: 'Hm.', error: new Error('cut') }])

  test('one that switches itself off sees its stage to the end', async () => {
    const seen: string[] = []
    const agent = createAgent({ model: cut(), use: [seeing('m', seen, () => agent.disable('m'))] })
    await agent.send('Go.').settled
    expect(seen).toEqual(['start', 'text', 'end', 'after', 'error'])
  })

  test('one that is added meanwhile sees nothing of it', async () => {
    const seen: string[] = []
    const adds = middleware({ name: 'adds', beforeModel: () => void agent.use(seeing('m', seen, () => {})) })
    const agent = createAgent({ model: cut(), use: [adds] })
    await agent.send('Go.').settled
    expect(seen).toEqual([])
  })
})

describe('a stage that a hook failed', () => {
  const error = new Error('no')
  test.each<{ at: string; hook: object }>([
    { at: 'beforeModel', hook: { beforeModel: () => fail(error) } },
    { at: 'wrapModel', hook: { wrapModel: () => fail(error) } },
    { at: 'beforeTool', hook: { beforeTool: () => fail(error) } },
    { at: 'wrapTool', hook: { wrapTool: () => fail(error) } },
  ])('in $at: after hooks and onError see the error, and it is listed once', async ({ at, hook }) => {
    const seen: unknown[] = []
    const after = (ctx: { stage: string; status: string; error: unknown }) => {
      if (at.toLowerCase().endsWith(ctx.stage)) seen.push(ctx.status, ctx.error)
    }
    const spy = middleware({ name: 'spy', afterModel: after, afterTool: after, onError: told => void seen.push(told) })
    const use = [spy, middleware({ name: 'no', ...hook })]
    const turn = createAgent({ model: looks(), tools: [look], use }).send('Go')
    expect(await turn.settled).toMatchObject({ status: 'failed', by: 'no', error })
    expect(seen).toEqual(['failed', error, error])
    expect(turn.explain()).toMatchObject([{ directive: 'fail', by: 'no', at, won: true }])
  })

  test.each([undefined, null, 0, ''])('a model that throws %j fails the turn', async thrown => {
    const model: Model = {
      id: 'odd',
      // biome-ignore lint/correctness/useYield: it throws before it says anything
      async *stream() {
        throw thrown
      },
    }
    const turn = createAgent({ model }).send('Go')
    expect((await turn.settled).status).toBe('failed')
    await expect(turn.then()).rejects.toMatchObject({ result: { status: 'failed' } })
  })
})
