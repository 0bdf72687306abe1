import { createAgent, fail, type Model, middleware, pipeline, skip, stage, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const look = tool({ name: 'look', run: () => 'seen' })

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

describe('a stage in the place of another', () => {
  test.each<[string, () => unknown]>([
    ['text', () => 'Own.'],
    ['a message, later', async () => ({ role: 'assistant', content: [{ type: 'text', text: 'Own.' }] })],
  ])('of model may give %s', async (_what, run) => {
    const own = pipeline().replace('model', stage({ name: 'model', run }))
    expect((await createAgent({ model: scriptedModel([]), pipeline: own }).send('Go')).text).toBe('Own.')
  })
  test('of tool may give a plain value', async () => {
    const own = pipeline().replace('tool', stage({ name: 'tool', run: ctx => `instead of ${ctx.stage}` }))
    const { messages } = await createAgent({ model: looks(), tools: [look], pipeline: own }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'instead of tool' })
  })
})

test('a ready reply of another role than the assistant is refused', async () => {
  const given = skip({ role: 'user', content: [{ type: 'text', text: 'I said so.' }] })
  const use = [middleware({ name: 'odd', beforeModel: () => given })]
  const { status, error, messages } = await createAgent({ model: looks(), use }).send('Go').settled
  expect(status).toBe('failed')
  expect((error as Error).message).toContain('role "user"')
  expect(messages.map(textOf)).toEqual(['Go'])
})

test("a tool's context keeps the step of its call", async () => {
  const steps: { readonly step: number }[] = []
  const keep = tool({ name: 'look', run: (_args, ctx) => void steps.push(ctx) })
  await createAgent({ model: looks(), tools: [keep] }).send('Go')
  expect(steps.map(({ step }) => step)).toEqual([0])
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

test('a message that the caller changes after it was sent is recorded as it was sent', async () => {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }
  const turn = createAgent({ model: scriptedModel(['Done']) }).send(message)
  for (const part of message.content) part.text = 'Stay'
  expect(textOf((await turn).messages[0])).toBe('Go')
})

test('what only looks like a snapshot is refused', async () => {
  const use = [middleware({ name: 'odd', beforeModel: ctx => ctx.restore({ kind: 'snapshot' }) })]
  const { error } = await createAgent({ model: looks(), use }).send('Go').settled
  expect(error).toMatchObject({ cause: { code: 'snapshot.foreign' } })
})
