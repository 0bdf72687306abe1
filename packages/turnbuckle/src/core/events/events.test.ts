import { type Context, createAgent, middleware, replace, tool } from 'turnbuckle'
import { describe, expect, test } from 'vitest'
import { callsEcho, run } from '../../../test/support/echo-turn.ts'

describe('what the loop alone tells', () => {
  const forged = {
    type: 'turn.completed',
    outcome: 'completed',
    reason: '',
    by: '',
    text: '',
    usage: { inputTokens: 0, outputTokens: 0 },
  } as const

  test('a hook that tells the end of a turn has failed', async () => {
    const { events, result } = await run([middleware({ name: 'm', afterModel: ctx => ctx.emit(forged) })])
    expect(events.filter(({ type }) => type === 'turn.completed')).toHaveLength(1)
    expect(events.at(-1)?.type).toBe('turn.completed')
    expect(events.find(({ type }) => type === 'hook.failed')).toMatchObject({
      error: expect.stringContaining('search.done'),
    })
    expect(result.steps).toBe(2)
  })

  test('and so has a tool', async () => {
    const forges = tool({ name: 'echo', run: (_args, ctx) => ctx.emit({ type: 'message.added' } as never) })
    const { messages } = await createAgent({ model: callsEcho(), tools: [forges] }).send('Go.')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test.each(['afterTurn', 'wrapTurn'])('a turn does not end in %s as nobody knows what', async hook => {
    const odd: object = { status: 'banana' }
    const give = async (_ctx: Context, next?: () => Promise<object>) =>
      next ? { ...(await next()), ...odd } : replace(odd)
    const { events, result } = await run([middleware({ name: 'm', [hook]: give } as never)])
    expect(events.at(-1)?.type).toBe(`turn.${result.status}`)
    expect(['completed', 'failed']).toContain(result.status)
  })

  test('onEvent knows its turn from the first event on', async () => {
    const seen: (string | undefined)[] = []
    const first = middleware({
      name: 'first',
      onEvent: (event, ctx) => {
        if (event.type !== 'turn.started') return
        seen.push(ctx.turn.id)
        ctx.turn.interrupt('at once')
      },
    })
    const { events, result, says } = await run([first])
    expect(seen).toEqual([events[0]?.turnId])
    expect(result).toMatchObject({ status: 'interrupted', steps: 0 })
    expect(says).toEqual(['user'])
  })
})
