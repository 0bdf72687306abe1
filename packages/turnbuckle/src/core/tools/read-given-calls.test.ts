import { createAgent, type Message, middleware, type Part, replace, skip, tool } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/support/echo-turn.ts'

describe('calls that hooks give', () => {
  const call = (id?: string): Part => ({ type: 'call', id, name: 'echo', args: {} }) as Part
  const gives = (content: readonly Part[]) => ({ id: 'kept', role: 'assistant' as const, content })

  test.each<{ what: string; replies: readonly Message[] }>([
    { what: 'the ids of a reply that was given before', replies: [gives([call('k')]), gives([call('k')])] },
    { what: 'one id twice', replies: [gives([call('k'), call('k')])] },
    { what: 'no ids', replies: [gives([call(), call()])] },
  ])('with $what: each has its own, and one result', async ({ replies }) => {
    const cache = middleware({
      name: 'cache',
      beforeModel: ({ step }) => (replies[step] ? skip(replies[step]) : undefined),
    })
    const { chat, result } = await run([cache], scriptedModel(['The end.']))
    expect(result.status).toBe('completed')
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
  })

  test.each([{ given: 'echo' }, { given: [1] }, { given: [null] }, { given: [{ args: {} }] }])(
    'of $given none is made: the hook has failed, and the calls of the model count',
    async ({ given }) => {
      const { says, events } = await run([middleware({ name: 'm', afterDetect: () => replace(given as never) })])
      expect(says).toEqual(['user', 'assistant', 'tool', 'assistant'])
      expect(events.filter(({ type }) => type === 'hook.failed').length).toBeGreaterThan(0)
    },
  )

  test('a result in the same reply goes with its call', async () => {
    const ran = { type: 'result', id: 'k', name: 'echo', status: 'ok', value: 1 } as const
    const cache = middleware({
      name: 'cache',
      wrapModel: (ctx, next) => (ctx.step < 1 ? gives([call('k'), ran, { type: 'text', text: 'Hm.' }]) : next()),
      afterDecide: ctx => (ctx.step < 1 ? replace(true) : undefined),
    })
    const { chat } = await run([cache], scriptedModel([{ calls: [{ name: 'echo', id: 'k' }] }, 'The end.']))
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test.each(['beforeTools', 'wrapTools'])('in %s twice the same: it is not run twice', async hook => {
    let ran = 0
    const count = tool({ name: 'count', run: () => ++ran })
    const twice = (ctx: { calls: readonly Part[] }, next?: (calls: readonly Part[]) => unknown) => {
      const both = [...ctx.calls, ...ctx.calls]
      if (next) return next(both)
      ctx.calls = both
    }
    const agent = createAgent({
      model: scriptedModel([{ calls: [{ name: 'count' }] }]),
      tools: [count],
      use: [middleware({ name: 'm', [hook]: twice } as never)],
    })
    const { error, messages } = await agent.send('Go.').settled
    expect(error).toMatchObject({ code: 'call.unknown' })
    expect(ran).toBe(0)
    expect(checkHistory(messages)).toEqual([])
  })
})
