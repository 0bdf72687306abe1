import { createAgent, type Message, middleware, skip, textOf } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]

describe('the results that a turn ends with', () => {
  test('skip with a message answers with it; with part of a result, with that', async () => {
    const answer = (value: unknown) =>
      createAgent({
        model: scriptedModel([]),
        use: [middleware({ name: 'ready', beforeTurn: () => skip(value) })],
      }).send('Go')
    expect(await answer('Ready.')).toMatchObject({ text: 'Ready.', status: 'completed', by: 'ready' })
    expect(await answer({ text: 'Ready.' })).toMatchObject({ text: 'Ready.', status: 'completed' })
  })

  test('a wrap around the turn may give another result, or run it again on a branch of its own', async () => {
    const twice = middleware({
      name: 'twice',
      async wrapTurn(_ctx, next) {
        await next()
        return next()
      },
    })
    const chat = createAgent({ model: scriptedModel(['One', 'Two']), use: [twice] }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Two', steps: 2 })
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Two'])
    expect(chat.tree.filter(({ parentId }) => parentId === undefined)).toHaveLength(2)
    expect(checkHistory(chat.messages)).toEqual([])
  })
})

describe('the turn', () => {
  const answer = async (hooks: object) => {
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    const { text, status, steps, messages } = await createAgent({ model: scriptedModel(['Hi']), use: [odd] }).send('Go')
    return { text, status, steps, said: messages.map(textOf) }
  }

  test('works on the message that a before hook put in its place', async () => {
    const beforeTurn = (ctx: { message: Message }) => {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'Other' }] }
    }
    expect(await answer({ beforeTurn })).toMatchObject({ said: ['Other', 'Hi'] })
    const skipping = { beforeTurn: (ctx: { message: Message }) => [beforeTurn(ctx), skip('No')][1] }
    expect(await answer(skipping)).toMatchObject({ said: ['Other', 'No'] })
  })

  test.each([
    { what: 'a string', hooks: { beforeTurn: () => skip('Ready') } },
    { what: 'a message', hooks: { beforeTurn: () => skip({ role: 'assistant', content: 'Ready' }) } },
    { what: 'what a wrap returned', hooks: { wrapTurn: () => 'Ready' } },
  ])('is answered without the loop by $what', async ({ hooks }) => {
    expect(await answer(hooks)).toEqual({ text: 'Ready', status: 'completed', steps: 0, said: ['Go', 'Ready'] })
  })
})
