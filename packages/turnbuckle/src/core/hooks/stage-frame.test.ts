import { createAgent, middleware, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'
import { look, twoSteps } from '../../../test/support/looking.ts'

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('what may be assigned', () => {
  const assign = (value: unknown) => (ctx: object) => {
    Object.assign(ctx, { call: value })
  }
  test.each([
    { what: 'by a guard', hooks: { guard: true, beforeTool: assign({}) }, error: /may not change what it sees/ },
    { what: 'by an after hook', hooks: { afterTool: assign({}) }, error: /Only before hooks may assign/ },
    { what: 'nothing at all', hooks: { beforeTool: assign(undefined) }, error: /cannot be undefined/ },
  ])('not $what', async ({ hooks, error }) => {
    const owner = middleware({ name: 'owner', ...hooks } as unknown as Parameters<typeof middleware>[0])
    const turn = createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go')
    const failed: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failed.push(event.error)
    expect(failed[0]).toMatch(error)
  })

  test('by a before hook: what the stage takes', async () => {
    const seen: unknown[] = []
    const spy = tool({ name: 'look', run: args => void seen.push(args) })
    const owner = middleware({
      name: 'owner',
      beforeInput(ctx) {
        ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'Other' }] }
      },
      beforeTools(ctx) {
        ctx.calls = ctx.calls.map(call => ({ ...call, args: { batch: true } }))
      },
      beforeTool(ctx) {
        ctx.call = { ...ctx.call, args: { ...(ctx.call.args as object), one: true } }
      },
    })
    const { messages } = await createAgent({ model: twoSteps(), tools: [spy], use: [owner] }).send('Go')
    expect(textOf(messages[0])).toBe('Other')
    expect(seen).toEqual([{ batch: true, one: true }])
  })

  test('a call that the model did not make is refused', async () => {
    const owner = middleware({
      name: 'owner',
      beforeTools(ctx) {
        ctx.calls = [{ type: 'call', id: 'mine', name: 'look', args: {} }]
      },
    })
    const { error } = await createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go').settled
    expect(error).toMatchObject({ code: 'call.unknown' })
  })
})

test('a stage has only what it takes', async () => {
  const seen: unknown[] = []
  const curious = middleware({
    name: 'curious',
    beforeTurn: ctx => void seen.push('prompt' in ctx && ctx.prompt),
    beforeModel: ctx => void seen.push('message' in ctx && ctx.message),
    beforeTool: ctx => void seen.push(codeOf(() => Object.assign(ctx, { prompt: {} }))),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [curious] }).send('Go')
  expect(seen).toEqual([undefined, undefined, 'context.foreign', undefined])
})
