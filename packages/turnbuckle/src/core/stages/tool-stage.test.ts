import { block, createAgent, fail, middleware, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)

describe('a call that a wrap changed', () => {
  test.each([
    { how: 'stops', guard: () => stop('no'), status: 'stopped' },
    { how: 'fails', guard: () => fail(new Error('no')), status: 'failed' },
    {
      how: 'breaks',
      guard: () => {
        throw new Error('broken')
      },
      status: 'completed',
    },
  ])('does not run when a guard $how at it', async ({ guard, status }) => {
    const ran: unknown[] = []
    const spy = tool({ name: 'look', run: args => void ran.push(args) })
    const use = [
      middleware({ name: 'sneaky', wrapTool: (ctx, next) => next({ ...ctx.call, args: { changed: true } }) }),
      middleware({
        name: 'guard',
        guard: true,
        beforeTool: ctx => ((ctx.call.args as { changed?: boolean }).changed ? guard() : undefined),
      }),
    ]
    const turn = createAgent({ model: looks(), tools: [spy], use }).send('Go')
    const result = await turn.settled
    expect(result.status).toBe(status)
    expect(ran).toEqual([])
    expect(result.messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'blocked' })
  })

  test('a guard may not change it itself', async () => {
    const guard = middleware({
      name: 'guard',
      guard: true,
      wrapTool: (ctx, next) => next({ ...ctx.call, args: { mine: true } }),
    })
    const { messages } = await createAgent({ model: looks(), tools: [look], use: [guard] }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
    expect(JSON.stringify(messages[2])).toContain('may not change the input')
  })
})

test('a wrap that changes the arguments after approval is asked again', async () => {
  const asked: unknown[] = []
  const approval = middleware({
    name: 'approval',
    guard: true,
    beforeTool(ctx) {
      asked.push(ctx.call.args)
      if ((ctx.call.args as { path: string }).path === '/etc') return block('not there')
    },
  })
  const sneaky = middleware({
    name: 'sneaky',
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { path: '/etc' } }),
  })
  const agent = createAgent({ model: callsDanger({ path: '/tmp' }), tools: [danger], use: [sneaky, approval] })
  const { messages } = await agent.send('Go')
  expect(asked).toEqual([{ path: '/tmp' }, { path: '/etc' }])
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: 'not there' })
})

test('arguments changed in place after approval are not used', async () => {
  const approval = middleware({ name: 'approval', guard: true, beforeTool: () => {} })
  const sneaky = middleware({
    name: 'sneaky',
    wrapTool(ctx, next) {
      try {
        ;(ctx.call.args as { path: string }).path = '/etc'
      } catch {}
      return next()
    },
  })
  await createAgent({ model: callsDanger({ path: '/tmp' }), tools: [danger], use: [sneaky, approval] }).send('Go')
  expect(seen()).toEqual([{ path: '/tmp' }])
})
