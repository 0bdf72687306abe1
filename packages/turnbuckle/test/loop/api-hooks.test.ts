import {
  again,
  block,
  type Context,
  createAgent,
  type Directive,
  fail,
  finish,
  goto,
  type Message,
  middleware,
  rewind,
  skip,
  stop,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { hooks, run, withCalls } from '../support/echoing.ts'
import { resultsOf } from '../support/results-of.ts'

/** API.md, "Precisely", sentence by sentence: what hooks return, assign and see. */

/** Gives the directive once. */
const once = (directive: Directive) => {
  let given = false
  return () => {
    if (given) return undefined
    given = true
    return directive
  }
}

describe('1: onChunk', () => {
  const text = (said: string) => ({ type: 'text', text: said }) as const
  test.each<{ what: string; onChunk: (chunk: { type: string; text: string }) => unknown; shown: string }>([
    { what: 'nothing: pass', onChunk: () => undefined, shown: 'ab' },
    {
      what: 'a chunk: change',
      onChunk: c => (c.type === 'text' ? text(c.text.toUpperCase()) : undefined),
      shown: 'AB',
    },
    {
      what: 'an array: split',
      onChunk: c => (c.type === 'text' ? [text(c.text), text('-')] : undefined),
      shown: 'a-b-',
    },
    { what: '[]: drop', onChunk: c => (c.text === 'a' ? [] : undefined), shown: 'b' },
    { what: 'a last call with end releases', onChunk: c => (c.type === 'end' ? text('held') : []), shown: 'held' },
  ])('$what', async ({ onChunk, shown }) => {
    const turn = run([hooks({ onChunk })], scriptedModel([{ chunks: [text('a'), text('b')] }]))
    let live = ''
    for await (const piece of turn.text) live += piece
    expect([live, (await turn).text]).toEqual([shown, shown])
  })
})

describe('2: what before hooks may assign', () => {
  const assigning: readonly {
    hook: string
    assign: (ctx: never) => void
    gives: (result: readonly Message[]) => unknown
  }[] = [
    {
      hook: 'beforeTurn',
      assign: (ctx: { message: object }) => Object.assign(ctx, { message: { ...ctx.message, content: 'Other' } }),
      gives: messages => textOf(messages[0]),
    },
    {
      hook: 'beforeInput',
      assign: (ctx: { message: object }) => Object.assign(ctx, { message: { ...ctx.message, content: 'Other' } }),
      gives: messages => textOf(messages[0]),
    },
    {
      hook: 'beforeTool',
      assign: (ctx: { call: object }) => Object.assign(ctx, { call: { ...ctx.call, args: 'Other' } }),
      gives: () => 'Other',
    },
    {
      hook: 'beforeTools',
      assign: (ctx: { calls: readonly object[] }) => Object.assign(ctx, { calls: [...ctx.calls] }),
      gives: () => 'Other',
    },
    {
      hook: 'beforeModel',
      assign: (ctx: { prompt: object }) => Object.assign(ctx, { prompt: { ...ctx.prompt } }),
      gives: () => 'Other',
    },
  ]
  test.each(assigning)('$hook may; for a guard it is read-only', async ({ hook, assign, gives }) => {
    const { messages } = await run([hooks({ [hook]: (ctx: never) => void assign(ctx) })])
    expect(gives(messages)).toBe('Other')
    const events: string[] = []
    const turn = run([hooks({ guard: true, [hook]: (ctx: never) => void assign(ctx) })])
    for await (const event of turn) if (event.type === 'hook.failed') events.push(event.error)
    expect(events[0]).toMatch(/may not change/)
  })

  test("a guard's onChunk alone may change what it sees", async () => {
    const redact = hooks({
      guard: true,
      onChunk: (c: { type: string }) => (c.type === 'text' ? { ...c, text: '***' } : undefined),
    })
    expect((await run([redact], scriptedModel(['secret']))).text).toBe('***')
  })
})

describe('3: a ready reply', () => {
  test('is an assistant message; a string means one text part', async () => {
    for (const ready of ['Ready', { role: 'assistant', content: [{ type: 'text', text: 'Ready' }] }]) {
      const { messages, steps } = await run([hooks({ beforeModel: () => skip(ready) })])
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Ready' }] })
      expect(steps).toBe(1)
    }
  })
  test('skip on turn with a string answers with it', async () => {
    const result = await run([hooks({ beforeTurn: () => skip('Answer') })])
    expect(result).toMatchObject({ status: 'completed', text: 'Answer', steps: 0, by: 'm' })
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })
})

describe('4: next', () => {
  test('resolves to { status, value }, also with a changed call', async () => {
    const seen: unknown[] = []
    const wrapTool = async (ctx: { call: object }, next: (call?: object) => Promise<unknown>) => {
      seen.push(await next())
      return next({ ...ctx.call, args: { id: 'changed' } })
    }
    const { messages } = await run([hooks({ wrapTool })])
    expect(seen).toEqual([{ status: 'ok', value: { id: 'c1' } }])
    expect(resultsOf(messages)).toMatchObject([{ status: 'ok', value: { id: 'changed' } }])
  })
  test('rejects when the stage threw', async () => {
    const error = new Error('Off.')
    const seen: unknown[] = []
    const wrapTool = (_ctx: unknown, next: () => Promise<unknown>) =>
      next().catch((thrown: unknown) => {
        seen.push(thrown)
        throw thrown
      })
    const broken = tool({ name: 'echo', run: () => Promise.reject(error) })
    const { messages } = await run([hooks({ wrapTool })], withCalls('c1'), { tools: [broken] })
    expect(seen).toEqual([error])
    expect(resultsOf(messages)).toMatchObject([{ status: 'error', value: 'Off.' }])
  })
  test('a wrap that returns a plain value means ok', async () => {
    const { messages } = await run([hooks({ wrapTool: () => 42 })])
    expect(resultsOf(messages)).toMatchObject([{ status: 'ok', value: 42 }])
  })
})

describe('5: finish', () => {
  test('ends as completed, with its reason and author', async () => {
    expect(await run([hooks({ beforeTool: () => finish('enough') })])).toMatchObject({
      status: 'completed',
      reason: 'enough',
      by: 'm',
      steps: 1,
    })
  })
  test('a directive that lost is spent: it does not count at the next boundary', async () => {
    const turn = run([
      hooks({ afterStep: once(again('More.')) }, 'a'),
      hooks({ afterStep: once(finish('enough')) }, 'b'),
    ])
    expect(await turn).toMatchObject({ status: 'completed', reason: 'done', by: 'model', steps: 2 })
    expect(turn.explain()).toMatchObject([
      { directive: 'finish', by: 'b', at: 'afterStep', step: 0, won: false },
      { directive: 'again', by: 'a', at: 'afterStep', step: 0, won: true },
    ])
  })
  test('again is only noted while the model asks for tools, and spent', async () => {
    const turn = run([hooks({ beforeModel: once(again('More.')) })])
    const { messages } = await turn
    expect(messages.filter(({ by }) => by === 'm').map(textOf)).toEqual(['More.'])
  })
})

describe('6: limits', () => {
  test('goto, rewind and again share a cap of 100, then the turn is stopped', async () => {
    const given = [again('x'), goto('model'), rewind(0)]
    let n = 0
    const jumps = hooks({ afterDecide: () => given[n++ % 3] })
    const { status, steps } = await run([jumps], scriptedModel(['Hm'], { repeat: true }), { maxSteps: Infinity })
    expect({ status, steps }).toEqual({ status: 'stopped', steps: 101 })
  })
  test('maxSteps is 50 by default; the circuit breaker is part of the default agent and can be left out', async () => {
    const same = () => scriptedModel([{ calls: [{ name: 'echo', args: { same: true } }] }], { repeat: true })
    const default_ = await run([], same())
    expect(default_.steps).toBeLessThan(50)
    expect(default_.by).toBe('circuit-breaker')
    expect(await run([], same(), { breaker: false })).toMatchObject({ status: 'stopped', steps: 50, by: 'maxSteps' })
    const names = createAgent({ model: same() }).middleware.map(({ name }) => name)
    expect(names).toEqual(['circuit-breaker'])
  })
})

describe('7: ctx.status', () => {
  const before = (directive: Directive) => ({ beforeTool: once(directive) })
  const interrupts = { beforeTool: (ctx: Context) => ctx.turn.interrupt() }
  const throws = {
    beforeTool: () => {
      throw new Error('Off.')
    },
  }
  test.each<{ what: string; given: object; status: string }>([
    { what: 'done', given: {}, status: 'done' },
    { what: 'skip', given: before(skip('x')), status: 'skipped' },
    { what: 'block', given: before(block('x')), status: 'skipped' },
    { what: 'stop', given: before(stop('x')), status: 'skipped' },
    { what: 'goto', given: before(goto('decide')), status: 'skipped' },
    { what: 'rewind', given: before(rewind(0)), status: 'skipped' },
    { what: 'fail', given: before(fail(new Error('x'))), status: 'failed' },
    { what: 'fail in a wrap', given: { wrapTool: () => fail(new Error('x')) }, status: 'failed' },
    { what: 'stop in a wrap', given: { wrapTool: () => stop('x') }, status: 'skipped' },
    { what: 'skip in a wrap', given: { wrapTool: () => skip('x') }, status: 'skipped' },
    { what: 'a hook that throws', given: throws, status: 'failed' },
    { what: 'interrupt', given: interrupts, status: 'interrupted' },
  ])('$what: $status', async ({ given, status }) => {
    const seen = await new Promise<unknown>(resolve => {
      const spy = hooks({ afterTool: (ctx: { status: string }) => resolve(ctx.status) }, 'spy')
      void run([spy, hooks(given)]).settled
    })
    expect(seen).toBe(status)
  })
})

describe('8: what is not opened', () => {
  test('tools is not opened for an empty batch', async () => {
    const seen: string[] = []
    const spy = hooks({ beforeTools: () => void seen.push('before'), afterTools: () => void seen.push('after') })
    await run([spy], scriptedModel(['Hi']))
    expect(seen).toEqual([])
  })
  test('a call settled without being opened fires no tool hooks', async () => {
    const seen: string[] = []
    const spy = hooks({ afterTool: (ctx: { call: { id: string } }) => void seen.push(ctx.call.id) }, 'spy')
    const { messages } = await run([spy, hooks({ beforeTools: () => stop('no') })], withCalls('c1', 'c2'))
    expect(seen).toEqual([])
    expect(resultsOf(messages).map(({ status }) => status)).toEqual(['blocked', 'blocked'])
  })
  test('detect with skip(calls): those calls, recorded as given, with unique ids', async () => {
    const given = [
      { id: 'x', name: 'echo', args: { n: 1 } },
      { id: 'x', name: 'echo', args: { n: 2 } },
      { name: 'echo', args: { n: 3 } },
    ]
    const { messages } = await run([hooks({ beforeDetect: once(skip(given)) })], scriptedModel(['Hm', 'Done']))
    const made = messages.flatMap(({ content }) => content).filter(part => part.type === 'call')
    expect(made.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    expect(made[0]?.id).toBe('x')
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
    expect(resultsOf(messages).map(({ id, value }) => [id, value])).toEqual(made.map(({ id, args }) => [id, args]))
  })
})

describe('18: rewind', () => {
  test.each<{ what: string; to: (ctx: Context) => Parameters<typeof rewind>[0]; path: string[] }>([
    { what: 'a step number', to: () => 0, path: ['Go', 'Better', 'Two'] },
    { what: 'a message id', to: ctx => ctx.messages.at(0)?.id as string, path: ['Go', 'Better', 'Two'] },
    { what: 'a snapshot', to: ctx => ctx.snapshot(), path: ['Go', 'One', 'Better', 'Two'] },
  ])('to $what, on a new branch', async ({ to, path }) => {
    const back = middleware({
      name: 'back',
      afterDecide: ctx => (ctx.turn.steps === 1 ? rewind(to(ctx), 'Better') : undefined),
    })
    const chat = createAgent({ model: scriptedModel(['One', 'Two']), use: [back] }).conversation()
    await chat.send('Go')
    expect(chat.messages.map(textOf)).toEqual(path)
    expect(chat.tree.map(({ message }) => textOf(message))).toContain('One')
  })
  test('text shown by an attempt that failed and was not retried stays, marked interrupted', async () => {
    const chat = createAgent({ model: scriptedModel([{ text: 'Half', error: new Error('Off.') }]) }).conversation()
    expect((await chat.send('Go').settled).status).toBe('failed')
    expect(chat.messages.at(-1)).toMatchObject({ role: 'assistant', interrupted: true, content: [{ text: 'Half' }] })
  })
})

test('19: guards are innermost: before last, after first, onChunk last', async () => {
  const seen: string[] = []
  const spy = (name: string, more: object) =>
    hooks(
      {
        beforeModel: () => void seen.push(`before ${name}`),
        afterModel: () => void seen.push(`after ${name}`),
        onChunk: (chunk: { type: string }) => void (chunk.type === 'text' && seen.push(`chunk ${name}`)),
        ...more,
      },
      name,
    )
  await run(
    [spy('guard', { guard: true, priority: 1 }), spy('late', { priority: 200 }), spy('early', {})],
    scriptedModel(['Hi']),
  )
  expect(seen).toEqual([
    ...['before early', 'before late', 'before guard'],
    ...['chunk early', 'chunk late', 'chunk guard'],
    ...['after guard', 'after late', 'after early'],
  ])
})
