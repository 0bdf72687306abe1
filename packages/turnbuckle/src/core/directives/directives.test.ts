import {
  again,
  block,
  createAgent,
  type Directive,
  finish,
  goto,
  middleware,
  replace,
  rewind,
  skip,
  stop,
  textOf,
  tool,
} from 'turnbuckle'
import { describe, expect, test } from 'vitest'
import { look } from '../../../test/support/looking.ts'
import { resultsOf } from '../../../test/support/results-of.ts'
import { lookTwice, turnWith } from '../../../test/support/turn-with.ts'

describe('skip', () => {
  test('on turn answers without the loop', async () => {
    const { result, calls, chat } = await turnWith('beforeTurn', () => skip('Closed today.'))
    expect(result).toMatchObject({ status: 'completed', reason: 'skip', by: 'steer', text: 'Closed today.', steps: 0 })
    expect(calls).toBe(0)
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Closed today.'])
  })
  test('on input uses another message', async () => {
    const { chat } = await turnWith('beforeInput', () => skip('Go slowly'))
    expect(textOf(chat.messages[0])).toBe('Go slowly')
  })
  test.each(['beforeModel', 'wrapModel'])('in %s gives a ready reply', async hook => {
    const { result, calls } = await turnWith(hook, () => skip('From the cache.'))
    expect(result).toMatchObject({ status: 'completed', text: 'From the cache.', steps: 1 })
    expect(calls).toBe(0)
  })
  test('on detect gives the calls, recorded as given, with unique ids', async () => {
    const call = { type: 'call' as const, id: 'mine', name: 'look', args: { n: 3 } }
    const { chat, results } = await turnWith('beforeDetect', () => skip([call, call]))
    const made = chat.messages[1]?.content.filter(part => part.type === 'call').map(part => part.id)
    expect(made).toEqual(['mine', "mine'"])
    expect(results).toHaveLength(2)
  })
  test('on tools runs none: every call is blocked', async () => {
    const { results } = await turnWith('beforeTools', () => skip('not now'))
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['blocked', 'not now'],
      ['blocked', 'not now'],
    ])
  })
  test.each(['beforeTool', 'wrapTool'])('in %s gives this result, and the others run', async hook => {
    const { results } = await turnWith(hook, () => skip({ cached: true }))
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['ok', { cached: true }],
      ['ok', { n: 2 }],
    ])
  })
  test.each(['beforeStep', 'beforeDecide'])('in %s ends as if the model were done', async hook => {
    const { result } = await turnWith(hook, () => skip())
    expect(result).toMatchObject({ status: 'completed', reason: 'done' })
    expect(result.steps).toBeLessThan(2)
  })
})

describe('block', () => {
  test('a call gets a blocked result with the reason; the turn goes on', async () => {
    const { results, result, turn } = await turnWith('beforeTool', () => block('too dangerous'))
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['blocked', 'too dangerous'],
      ['ok', { n: 2 }],
    ])
    expect(result.status).toBe('completed')
    expect(turn.explain()).toMatchObject([
      { directive: 'block', by: 'steer', at: 'beforeTool', step: 0, callId: 'c1', reason: 'too dangerous', won: true },
    ])
  })
  test('a batch: every call is blocked', async () => {
    const { results } = await turnWith('beforeTools', () => block('no tools'))
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['blocked', 'no tools'],
      ['blocked', 'no tools'],
    ])
  })
  test.each(['beforeTurn', 'beforeInput'])("in %s refuses the user's message: it is not recorded", async hook => {
    const { result, chat, calls } = await turnWith(hook, () => block('not like that'))
    expect(result).toMatchObject({ status: 'stopped', reason: 'not like that', by: 'steer' })
    expect(chat.messages).toEqual([])
    expect(calls).toBe(0)
  })
  test('the model: the turn is stopped', async () => {
    const { result, calls } = await turnWith('beforeModel', () => block('quota'))
    expect(result).toMatchObject({ status: 'stopped', reason: 'quota', by: 'steer' })
    expect(calls).toBe(0)
  })
})

describe('replace', () => {
  test('after the model: another reply', async () => {
    const { result, chat } = await turnWith('afterModel', () => replace('Better.'))
    expect(result.text).toBe('Better.')
    expect(chat.messages).toHaveLength(2)
  })

  test('after a tool: another result; the last one wins', async () => {
    const outer = middleware({ name: 'outer', priority: 1, afterTool: () => replace('last') })
    const { results, turn } = await turnWith('afterTool', () => replace('first'), [outer])
    expect(results[0]).toMatchObject({ status: 'ok', value: 'last' })
    expect(turn.explain().map(({ by, won }) => [by, won])).toContainEqual(['steer', false])
  })

  test('after a failed tool: it counts as done', async () => {
    const broken = tool({
      name: 'look',
      run: () => {
        throw new Error('broken')
      },
    })
    const cure = middleware({
      name: 'cure',
      afterTool: ctx => (ctx.status === 'failed' ? replace('cured') : undefined),
    })
    const agent = createAgent({ model: lookTwice(), tools: [broken], use: [cure] })
    expect(resultsOf((await agent.send('Go')).messages)).toMatchObject([
      { status: 'ok', value: 'cured' },
      { status: 'ok', value: 'cured' },
    ])
  })

  test('after the turn: another result', async () => {
    const { result } = await turnWith('afterTurn', () => replace({ text: 'In short: done.' }))
    expect(result).toMatchObject({ status: 'completed', text: 'In short: done.' })
  })

  test('after the batch: other results', async () => {
    const { results } = await turnWith('afterTools', () =>
      replace([
        { status: 'ok', value: 1 },
        { status: 'error', value: 2 },
      ]),
    )
    expect(results).toMatchObject([{ value: 1 }, { status: 'error', value: 2 }])
  })
})

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
      const guard = middleware({ name: 'guard', guard: true, beforeTool: () => directive as never })
      const agent = createAgent({ model: lookTwice(), tools: [look], use: [guard] })
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
