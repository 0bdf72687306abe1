import {
  createAgent,
  type ErrorKind,
  isHookError,
  type Middleware,
  middleware,
  replace,
  stop,
  TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const error = (kind: ErrorKind) => new TurnbuckleError(`test.${kind}`, `a ${kind} error`, { kind })
const limited = Object.assign(new Error('slow down'), { status: 429 })
const late = Object.assign(new Error('too late'), { name: 'TimeoutError' })
const failing = (thrown: unknown) => tool({ name: 'look', run: () => Promise.reject(thrown) })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

test('a directive of onError stands instead of the policy; without one the turn fails', async () => {
  const model = () => scriptedModel([{ text: 'part', error: new Error('boom') }])
  const use = [middleware({ name: 'calm', onError: () => stop('enough') })]
  const calm = await createAgent({ model: model(), use }).send('go')
  expect(calm).toMatchObject({ status: 'stopped', reason: 'enough', text: 'part' })
  expect((await createAgent({ model: model() }).send('go').settled).status).toBe('failed')
})

describe('without a policy', () => {
  test("a tool's error is a result, and the turn goes on", async () => {
    const { status, messages } = await createAgent({ model: looks(), tools: [failing(new Error('no file'))] }).send(
      'Go',
    )
    expect(status).toBe('completed')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error', value: 'no file' })
  })

  test.each([
    { what: 'an error', thrown: new Error('down'), reason: 'down' },
    { what: 'a rate limit', thrown: limited, reason: 'slow down' },
    { what: 'text', thrown: 'just text', reason: 'just text' },
  ])("the model's failure with $what fails the turn; the text shown stays, marked", async ({ thrown, reason }) => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Well', error: thrown }]) }).send('Go')
    const { status, error: seen, by, messages } = await turn.settled
    expect({ status, seen, by }).toEqual({ status: 'failed', seen: thrown, by: 'model' })
    expect(messages[1]).toMatchObject({ role: 'assistant', interrupted: true })
    expect(textOf(messages[1])).toBe('Well')
    const rejection = await Promise.resolve(turn).catch(caught => caught)
    expect(rejection).toBeInstanceOf(Error)
    expect(rejection.message).toContain(reason)
    expect(rejection.result).toMatchObject({ status: 'failed' })
  })

  test('a hook that throws in before or wrap fails its stage, and the turn', async () => {
    for (const hook of ['beforeModel', 'wrapModel', 'beforeTool', 'wrapTool']) {
      const broken = middleware({
        name: 'broken',
        [hook]: () => {
          throw new Error('oops')
        },
      } as Parameters<typeof middleware>[0])
      const agent = createAgent({ model: looks(), tools: [failing(1)], use: [broken] })
      const { status, error: seen, by } = await agent.send('Go').settled
      expect({ status, by }).toEqual({ status: 'failed', by: 'broken' })
      expect(isHookError(seen)).toBe(true)
      expect(seen).toMatchObject({ code: 'hook.failed', by: 'broken', at: hook })
      expect((seen as Error).cause).toEqual(new Error('oops'))
    }
  })
})

describe('the policy decides by kind', () => {
  const kinds: readonly { kind: ErrorKind; thrown: unknown }[] = [
    { kind: 'tool', thrown: new Error('plain') },
    { kind: 'rateLimit', thrown: limited },
    { kind: 'timeout', thrown: late },
    { kind: 'validation', thrown: error('validation') },
    { kind: 'unknown', thrown: error('unknown') },
  ]
  test.each(kinds)('stop on $kind fails the turn with it', async ({ kind, thrown }) => {
    const agent = createAgent({ model: looks(), tools: [failing(thrown)], errors: { [kind]: 'stop' } })
    const { status, error: seen, messages } = await agent.send('Go').settled
    expect(status).toBe('failed')
    expect(seen).toBe(thrown)
    expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: kind === 'timeout' ? 'timeout' : 'error' })
  })

  test('stop on toolBlocked fails the turn when a call is blocked or denied', async () => {
    const { block } = await import('turnbuckle')
    const guard = middleware({ name: 'guard', guard: true, beforeTool: () => block('no') })
    const agent = createAgent({ model: looks(), tools: [failing(1)], use: [guard], errors: { toolBlocked: 'stop' } })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', error: { code: 'tool.blocked' } })
  })

  test('ignore on model goes on without a reply', async () => {
    const model = scriptedModel([{ error: new Error('down') }])
    expect(await createAgent({ model, errors: { model: 'ignore' } }).send('Go')).toMatchObject({
      status: 'completed',
      text: '',
    })
  })

  describe('ignore on hook is a soft mode: a failing hook is as if it were not there', () => {
    const oops = () => {
      throw new Error('oops')
    }
    const broken = (hook: string, more: object = {}) =>
      middleware({ name: 'broken', ...more, [hook]: oops } as Parameters<typeof middleware>[0])
    const run = (use: Middleware) => {
      const look = tool({ name: 'look', run: () => 'seen' })
      return createAgent({ model: looks(), tools: [look], use: [use], errors: { hook: 'ignore' } }).send('Go')
    }

    const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide']
    test.each(stages.flatMap(stage => [`before${stage}`, `wrap${stage}`, `after${stage}`]))(
      "%s: the turn's answer and its results are whole, and the failure is told",
      async hook => {
        const turn = run(broken(hook))
        const { status, text, messages } = await turn
        expect({ status, text }).toEqual({ status: 'completed', text: 'Done' })
        expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'ok', value: 'seen' })
        const failures = []
        for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.point)
        expect(new Set(failures)).toEqual(new Set([hook]))
      },
    )

    test.each(['beforeModel', 'wrapModel', 'beforeDecide'])(
      '%s: a middleware that fails closed itself still fails the turn',
      async hook => {
        const result = await run(broken(hook, { onFailure: 'closed' })).settled
        expect(result).toMatchObject({ status: 'failed', by: 'broken' })
      },
    )

    test('a guard still blocks its call', async () => {
      const { messages } = await run(broken('beforeTool', { guard: true }))
      expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: 'Guard "broken" failed: oops' })
    })
  })
})

describe('onError', () => {
  test('sees every failure once, with the call it belongs to', async () => {
    const seen: unknown[] = []
    const watch = middleware({
      name: 'watch',
      onError: (thrown, ctx) => void seen.push([thrown, ctx.stage, ctx.call?.id]),
    })
    const down = new Error('down')
    const missing = new Error('no file')
    const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, { error: down }])
    await createAgent({ model, tools: [failing(missing)], use: [watch] }).send('Go').settled
    expect(seen).toEqual([
      [missing, 'tool', 'c1'],
      [down, 'model', undefined],
    ])
  })

  test('may replace the result, or steer instead of the policy', async () => {
    const cure = middleware({ name: 'cure', onError: () => replace('A cached answer.') })
    const model = () => scriptedModel([{ error: new Error('down') }])
    expect(await createAgent({ model: model(), use: [cure] }).send('Go')).toMatchObject({
      status: 'completed',
      text: 'A cached answer.',
    })
    const ends = middleware({ name: 'ends', onError: () => stop('no luck', { say: 'Try later.' }) })
    expect(await createAgent({ model: model(), use: [ends] }).send('Go')).toMatchObject({
      status: 'stopped',
      by: 'ends',
      text: 'Try later.',
    })
  })
})
