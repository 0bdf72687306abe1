import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { createAgent, middleware, type Tool, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** The result of one call, and what the tool was told of. */
async function callOnce(made: Tool, args: unknown, name = made.name) {
  const model = scriptedModel([{ calls: [{ name, args, id: 'c1' }] }, 'Done'])
  const { messages, status } = await createAgent({ model, tools: [made] }).send('Go').settled
  const result = messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))[0]
  return { result, status, spec: model.prompts[0]?.tools[0] }
}

describe('schemas', () => {
  const seen: unknown[] = []
  const run = (args: { city: string; days: number }) => {
    seen.push(args)
    return `${args.days} days in ${args.city}`
  }
  const libraries: readonly { library: string; made: () => Tool }[] = [
    {
      library: 'zod',
      made: () =>
        tool({ name: 'plan', input: z.object({ city: z.string().trim(), days: z.number().default(2) }), run }),
    },
    {
      library: 'valibot',
      made: () =>
        tool({
          name: 'plan',
          input: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 2) })),
          run,
        }),
    },
    {
      library: 'arktype',
      made: () => tool({ name: 'plan', input: type({ city: 'string', days: 'number = 2' }), run }),
    },
  ]

  test.each(libraries)('$library: arguments are parsed, the model gets JSON Schema', async ({ library, made }) => {
    seen.length = 0
    const { result, spec } = await callOnce(made(), { city: library === 'zod' ? ' Oslo ' : 'Oslo' })
    expect(result).toMatchObject({ status: 'ok', value: '2 days in Oslo' })
    expect(seen).toEqual([{ city: 'Oslo', days: 2 }])
    expect(spec?.schema).toMatchObject({ type: 'object', properties: { city: { type: 'string' } } })
  })

  test.each(libraries)(
    '$library: what does not fit is an error that names it; the tool does not run',
    async ({ made }) => {
      seen.length = 0
      const { result, status } = await callOnce(made(), { city: 'Oslo', days: 'many' })
      expect(result?.status).toBe('error')
      expect(String(result?.value)).toMatch(/arguments of plan do not fit.*days/)
      expect(seen).toEqual([])
      expect(status).toBe('completed')
    },
  )

  test('valibot without a JSON Schema of its own is refused with the fix; with one besides it works', async () => {
    const input = v.object({ city: v.string() })
    expect(() => tool({ name: 'plan', input, run: () => 1 })).toThrow(/cannot be turned into JSON Schema.*schema:/)
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const { spec } = await callOnce(tool({ name: 'plan', input, schema, run: () => 1 }), { city: 'Oslo' })
    expect(spec?.schema).toEqual(schema)
  })

  test('without a schema anything goes', async () => {
    expect((await callOnce(tool({ name: 'any', run: args => args }), { x: [1] })).result?.value).toEqual({ x: [1] })
  })

  test('validation happens once, also when it is asynchronous, and before any guard', async () => {
    let validated = 0
    const looked: unknown[] = []
    const input = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => {
          validated++
          await Promise.resolve()
          return (value as { bad?: boolean }).bad ? { issues: [{ message: 'bad' }] } : { value }
        },
      },
    }
    const made = tool({ name: 'one', input, schema: {}, run: () => 'ok' })
    const guard = middleware({ name: 'guard', guard: true, beforeTool: ctx => void looked.push(ctx.call.args) })
    const calls = [
      { name: 'one', args: '{"a":1}' },
      { name: 'one', args: { bad: true } },
    ]
    const { messages } = await createAgent({
      model: scriptedModel([{ calls }, 'Done']),
      tools: [made],
      use: [guard],
    }).send('Go')
    expect(validated).toBe(2)
    // A guard is not asked about what cannot run anyway.
    expect(looked).toEqual([{ a: 1 }])
    expect(messages[3]?.content[0]).toMatchObject({ status: 'error' })
  })
})

describe('calls that cannot run', () => {
  const look = tool({ name: 'look', run: () => 'seen' })

  test.each([
    { what: 'JSON text is parsed', args: '{"a":1}', status: 'ok' },
    { what: 'empty text means no arguments', args: '  ', status: 'ok' },
    { what: 'JSON that was cut off', args: '{"a":', status: 'error', says: /no JSON: they may have been cut off/ },
  ])('$what', async ({ args, status, says }) => {
    const { result } = await callOnce(look, args)
    expect(result?.status).toBe(status)
    if (says) expect(String(result?.value)).toMatch(says)
  })

  test('an unknown tool: the error names the nearest', async () => {
    const { result } = await callOnce(look, {}, 'lok')
    expect(result).toMatchObject({
      name: 'lok',
      status: 'error',
      value: 'There is no tool "lok". Did you mean "look"?',
    })
    expect((await callOnce(look, {}, 'somethingElse')).result?.value).toContain('Tools here: look.')
  })

  test('a guard is not asked about an unknown tool, and nothing gets around it', async () => {
    let asked = 0
    const guard = middleware({ name: 'guard', guard: true, beforeTool: () => void asked++ })
    const model = scriptedModel([{ calls: [{ name: 'nothing' }] }, 'Done'])
    await createAgent({ model, tools: [look], use: [guard] }).send('Go')
    expect(asked).toBe(0)
  })
})

describe('results', () => {
  test.each([
    { what: 'nothing', value: undefined, gives: null },
    { what: 'a number', value: 7, gives: 7 },
    { what: 'plain data', value: { a: [1, null, true] }, gives: { a: [1, null, true] } },
    { what: 'a bigint', value: 10n, gives: '10' },
    { what: 'a date', value: { at: new Date(0) }, gives: { at: '1970-01-01T00:00:00.000Z' } },
    { what: 'a function', value: { f: () => 1, x: 1 }, gives: { x: 1 } },
    { what: 'a map', value: new Map([[1, 2]]), gives: {} },
  ])('$what becomes plain data', async ({ value, gives }) => {
    expect((await callOnce(tool({ name: 'give', run: () => value }), {})).result?.value).toEqual(gives)
  })

  test('what refers to itself becomes text', async () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect((await callOnce(tool({ name: 'give', run: () => ring }), {})).result?.value).toBe('[object Object]')
  })

  test('maxResult cuts what is longer, and says so', async () => {
    const long = await callOnce(tool({ name: 'give', maxResult: 10, run: () => 'x'.repeat(50) }), {})
    expect(long.result?.value).toBe(`${'x'.repeat(10)}\n[cut: 50 characters, 10 are kept]`)
    const list = await callOnce(tool({ name: 'give', maxResult: 10, run: () => Array(50).fill(1) }), {})
    expect(list.result?.value).toMatch(/^\[1,1,1,1,1\n\[cut: 101 characters, 10 are kept\]$/)
    const huge = await callOnce(tool({ name: 'give', run: () => 'x'.repeat(1_000_000) }), {})
    expect(String(huge.result?.value).length).toBeLessThan(100_100)
  })

  test('deep data does not overflow the stack', async () => {
    let deep: unknown = 1
    for (let i = 0; i < 200; i++) deep = { deep }
    expect((await callOnce(tool({ name: 'give', run: () => deep }), {})).result?.status).toBe('ok')
  })
})

describe('time and order', () => {
  test('timeout: the result says so, the signal is aborted, and nothing is left', async () => {
    const clock = virtualClock()
    const aborted: boolean[] = []
    const slow = tool({
      name: 'slow',
      timeout: 100,
      run: (_args, { signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => {
            aborted.push(true)
            resolve('too late')
          })
        }),
    })
    const turn = createAgent({
      model: scriptedModel([{ calls: [{ name: 'slow' }] }, 'Done']),
      tools: [slow],
      clock,
    }).send('Go')
    await clock.advance(100)
    const { messages } = await turn
    expect(messages[2]?.content[0]).toMatchObject({ status: 'timeout', value: 'slow took longer than 100 ms.' })
    expect(aborted).toEqual([true])
    expect(clock.timers).toBe(0)
  })

  const batch = (clock: ReturnType<typeof virtualClock>, log: string[], sequential: readonly string[] = []) =>
    ['a', 'b', 'c', 'd'].map(name =>
      tool({
        name,
        sequential: sequential.includes(name),
        run: () =>
          new Promise(resolve => {
            log.push(`+${name}`)
            clock.after(10, () => {
              log.push(`-${name}`)
              resolve(name)
            })
          }),
      }),
    )
  const calls = ['a', 'b', 'c', 'd'].map(name => ({ name }))

  test.each([
    { parallel: Infinity, sequential: [], order: '+a +b +c +d -a -b -c -d' },
    { parallel: 1, sequential: [], order: '+a -a +b -b +c -c +d -d' },
    { parallel: 2, sequential: [], order: '+a +b -a +c -b +d -c -d' },
    { parallel: Infinity, sequential: ['b'], order: '+a -a +b -b +c +d -c -d' },
  ])('parallelTools $parallel, sequential $sequential: $order', async ({ parallel, sequential, order }) => {
    const clock = virtualClock()
    const log: string[] = []
    const tools = batch(clock, log, sequential)
    const turn = createAgent({ model: scriptedModel([{ calls }, 'Done']), tools, clock, parallelTools: parallel }).send(
      'Go',
    )
    await clock.advance(100)
    const { messages } = await turn
    expect(log.toSorted((x, y) => order.split(' ').indexOf(x) - order.split(' ').indexOf(y))).toEqual(order.split(' '))
    const running = log.reduce<{ now: number; most: number }>(
      ({ now, most }, entry) => {
        const next = now + (entry.startsWith('+') ? 1 : -1)
        return { now: next, most: Math.max(most, next) }
      },
      { now: 0, most: 0 },
    )
    expect(running.most).toBeLessThanOrEqual(parallel)
    if (sequential.length) expect(log.indexOf('-b') - log.indexOf('+b')).toBe(1)
    // Recorded in call order, whichever finished first.
    expect(
      messages.flatMap(({ content }) => content.filter(part => part.type === 'result')).map(({ name }) => name),
    ).toEqual(['a', 'b', 'c', 'd'])
  })
})

test('a tool sees call, path, tree, step, signal and conversation, and can tell how far it is', async () => {
  const seen: unknown[] = []
  const curious = tool({
    name: 'curious',
    run(_args, ctx) {
      seen.push(
        ctx.call.id,
        ctx.step,
        ctx.path.map(({ role }) => role),
        ctx.tree.length,
        ctx.signal.aborted,
        ctx.conversation.id,
      )
      ctx.emit({ type: 'tool.progress', callId: ctx.call.id, percent: 50 })
      return 'ok'
    },
  })
  const chat = createAgent({
    model: scriptedModel([{ calls: [{ name: 'curious', id: 'c' }] }, 'Done']),
    tools: [curious],
  }).conversation('conv')
  const turn = chat.send('Go')
  const progress: unknown[] = []
  for await (const event of turn) if (event.type === 'tool.progress') progress.push([event.callId, event.percent])
  expect(seen).toEqual(['c', 0, ['user', 'assistant'], 2, false, 'conv'])
  expect(progress).toEqual([['c', 50]])
})

test('the events of a call: pending, executing, completed or failed, with status and time', async () => {
  const clock = virtualClock()
  const slow = tool({ name: 'slow', run: () => new Promise(resolve => clock.after(30, () => resolve('x'))) })
  const model = scriptedModel([
    {
      calls: [
        { name: 'slow', id: 's' },
        { name: 'nope', id: 'n' },
      ],
    },
    'Done',
  ])
  const turn = createAgent({ model, tools: [slow], clock }).send('Go')
  await clock.advance(30)
  const events: unknown[] = []
  for await (const event of turn) if (event.type.startsWith('tool.')) events.push(event)
  expect(events).toMatchObject([
    { type: 'tool.pending', callId: 's' },
    { type: 'tool.pending', callId: 'n' },
    { type: 'tool.executing', callId: 's' },
    { type: 'tool.failed', callId: 'n', status: 'error' },
    { type: 'tool.completed', callId: 's', status: 'ok', result: 'x', durationMs: 30 },
  ])
})
