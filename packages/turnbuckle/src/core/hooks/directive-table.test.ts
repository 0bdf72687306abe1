import {
  again,
  block,
  createAgent,
  type Directive,
  finish,
  goto,
  type Middleware,
  middleware,
  replace,
  rewind,
  skip,
  stop,
  tool,
} from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

const look = tool({ name: 'look', run: args => args })
const model = () =>
  scriptedModel([
    {
      text: 'Let me look.',
      calls: [
        { name: 'look', id: 'c1' },
        { name: 'look', id: 'c2', args: { n: 2 } },
      ],
    },
    'Done',
  ])
/** A turn with one hook that acts once. */
async function turnWith(hook: string, act: () => unknown, more: Middleware[] = []) {
  let acted = false
  const steer = middleware({
    name: 'steer',
    [hook]: (...args: unknown[]) => {
      const next = args[1]
      if (acted) return typeof next === 'function' ? next() : undefined
      acted = true
      return act()
    },
  } as Parameters<typeof middleware>[0])
  const used = model()
  const chat = createAgent({ model: used, tools: [look], use: [steer, ...more] }).conversation()
  const turn = chat.send('Go')
  const result = await turn.settled
  expect(checkHistory(chat.messages)).toEqual([])
  return { result, turn, chat, calls: used.prompts.length, results: resultsOf(chat.messages) }
}

describe('a directive where it makes no sense is a typed error that names the fix', () => {
  test.each<{ hook: string; directive: Directive; hint: RegExp }>([
    { hook: 'beforeModel', directive: replace('x'), hint: /has not run yet: use skip/ },
    { hook: 'beforeAppend', directive: skip(), hint: /change ctx.message instead, or stop/ },
    { hook: 'beforeAppend', directive: block('x'), hint: /change ctx.message instead, or stop/ },
    { hook: 'wrapAppend', directive: skip(), hint: /change ctx.message instead, or stop/ },
    { hook: 'beforeTurn', directive: goto('model'), hint: /No step has begun yet/ },
    { hook: 'beforeInput', directive: rewind(0), hint: /No step has begun yet/ },
  ])('$hook: $directive.type', async ({ hook, directive, hint }) => {
    const { result } = await turnWith(hook, () => directive)
    expect(result.status).toBe('failed')
    expect(result.error).toMatchObject({ code: 'hook.failed', by: 'steer', at: hook })
    expect((result.error as Error).cause).toMatchObject({ code: 'directive.misplaced' })
    expect(String(result.error)).toMatch(hint)
  })

  test.each<{ hook: string; directive: Directive; hint: RegExp }>([
    { hook: 'afterModel', directive: skip('x'), hint: /The stage has run: use replace or stop/ },
    { hook: 'afterTool', directive: block('x'), hint: /The stage has run: use replace or stop/ },
    { hook: 'afterTurn', directive: again('x'), hint: /The turn is over: use afterDecide/ },
    { hook: 'afterTurn', directive: stop('x'), hint: /The turn is over: use afterDecide/ },
  ])('$hook: $directive.type is reported, and the loop goes on', async ({ hook, directive, hint }) => {
    const { result, turn } = await turnWith(hook, () => directive)
    expect(result.status).toBe('completed')
    const failed: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failed.push(event.error)
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatch(hint)
  })

  test.each<Directive>([skip(), replace('x'), again('x'), finish('x'), goto('model'), rewind(0)])(
    'a guard may not $type: it counts as its failure, and blocks',
    async directive => {
      const guard = middleware({ name: 'guard', guard: true, beforeTool: () => directive })
      const agent = createAgent({ model: model(), tools: [look], use: [guard] })
      const { messages } = await agent.send('Go').settled
      expect(resultsOf(messages)).toMatchObject([{ status: 'blocked' }, { status: 'blocked' }])
      expect(String(resultsOf(messages)[0]?.value)).toContain('A guard may only block, stop or fail.')
    },
  )

  test.each([42, 'stop', { type: 'stop' }, null, true])('%j is no directive', async value => {
    const { result } = await turnWith('beforeModel', () => value)
    expect(result.status).toBe('failed')
    expect((result.error as Error).cause).toMatchObject({ code: 'directive.unknown' })
  })
})
