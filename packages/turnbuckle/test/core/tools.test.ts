import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { createAgent, type Event, middleware, replace, skip, type Tool, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resultsOf } from './results-of.ts'

const fails = () => {
  throw new Error('Off.')
}

/** The result of one call, and what the tool was told of. */
async function callOnce(made: Tool, args: unknown, name = made.name) {
  const model = scriptedModel([{ calls: [{ name, args, id: 'c1' }] }, 'Done'])
  const { messages, status } = await createAgent({ model, tools: [made] }).send('Go').settled
  const result = resultsOf(messages)[0]
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
  const png = { type: 'file', mediaType: 'image/png' }
  const large = 'A'.repeat(1_000_000)
  test.each([
    { what: 'nothing', value: undefined, gives: null },
    { what: 'a number', value: 7, gives: 7 },
    { what: 'plain data', value: { a: [1, null, true] }, gives: { a: [1, null, true] } },
    { what: 'a bigint', value: 10n, gives: '10' },
    { what: 'a date', value: { at: new Date(0) }, gives: { at: '1970-01-01T00:00:00.000Z' } },
    { what: 'a function', value: { f: () => 1, x: 1 }, gives: { x: 1 } },
    { what: 'a map', value: new Map([['a', new Map([[1, 2]])]]), gives: { a: [[1, 2]] } },
    { what: 'a set', value: new Set([1, 'b']), gives: [1, 'b'] },
    { what: 'an empty set', value: { none: new Set(), no: new Map() }, gives: { none: [], no: {} } },
    { what: 'an instance', value: new URL('http://a.b/'), gives: 'http://a.b/' },
    {
      what: 'an instance of a class',
      value: new (class Point {
        x = 1
      })(),
      gives: { x: 1 },
    },
    { what: 'no number', value: Number.NaN, gives: 'NaN' },
    { what: 'no number inside', value: { x: [Number.POSITIVE_INFINITY, undefined] }, gives: { x: [null, null] } },
    { what: 'an error inside', value: { failed: new Error('Off.') }, gives: { failed: 'Off.' } },
    { what: 'binary data', value: { file: Buffer.alloc(9) }, gives: { file: '[binary data, 9 bytes]' } },
    { what: 'much binary data', value: new ArrayBuffer(200_000_000), gives: '[binary data, 200000000 bytes]' },
    { what: 'a file', value: [1, { ...png, data: Uint8Array.of(1, 2, 3) }], gives: [1, { ...png, data: 'AQID' }] },
    { what: 'a large file', value: [{ ...png, data: large }, 'Look.'], gives: [{ ...png, data: large }, 'Look.'] },
    { what: 'something without a prototype', value: Object.assign(Object.create(null), { x: 1 }), gives: { x: 1 } },
  ])('$what becomes plain data', async ({ value, gives }) => {
    for (const run of [() => value, async () => value]) {
      const { result } = await callOnce(tool({ name: 'give', run }), {})
      expect(result).toMatchObject({ status: 'ok', value: gives })
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    }
  })

  const tooLarge = { ...png, data: new Uint8Array(8_000_000) }
  const ring: { self?: unknown } = {}
  ring.self = [ring]
  let abyss: unknown = 1
  for (let i = 0; i < 100_000; i++) abyss = [abyss]
  test.each([
    { what: 'an error', value: new TypeError('Off.'), says: 'Off.' },
    { what: 'what refers to itself', value: ring, says: /refers to itself/ },
    { what: 'what is nested without end', value: abyss, says: /nested too deep/ },
    { what: 'a function', value: () => 1, says: /give returned a function/ },
    { what: 'a file without bounds', value: tooLarge, says: /files in this result have \d+ characters/ },
    { what: 'a symbol', value: Symbol('x'), says: /give returned a symbol/ },
    {
      what: 'a member that throws',
      value: Object.defineProperty({}, 'x', { get: () => fails(), enumerable: true }),
      says: 'Off.',
    },
  ])('$what is an error result that says why', async ({ value, says }) => {
    for (const run of [() => value, async () => value]) {
      const { result } = await callOnce(tool({ name: 'give', run }), {})
      expect(result?.status).toBe('error')
      expect(result?.value).toMatch(says)
    }
  })

  test('what grows without end when it is written out is cut in bounded time', async () => {
    let vast: unknown = 'x'
    for (let i = 0; i < 60; i++) vast = [vast, vast]
    const { result } = await callOnce(tool({ name: 'give', maxResult: 1000, run: () => vast }), {})
    expect(result).toMatchObject({ status: 'ok', value: expect.stringContaining('[cut: more than 1000 characters') })
  })

  const hooked = async (hook: string, gives: () => unknown) => {
    const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
    const odd = middleware({ name: 'odd', [hook]: gives } as Parameters<typeof middleware>[0])
    const look = tool({ name: 'look', run: () => 'seen' })
    const events: Event[] = []
    const turn = createAgent({ model, tools: [look], use: [odd] }).send('Go')
    for await (const event of turn) events.push(event)
    const parts = (await turn.settled).messages.flatMap(({ content }) => content)
    return { results: parts.filter(part => part.type === 'result'), events }
  }

  test.each([
    { hook: 'beforeTool', gives: () => skip(new Map([['a', 1n]])), value: { a: '1' } },
    { hook: 'wrapTool', gives: () => new Set([1]), value: [1] },
    {
      hook: 'afterTool',
      gives: () => replace({ status: 'ok', value: new Date(0) }),
      value: '1970-01-01T00:00:00.000Z',
    },
    { hook: 'afterTools', gives: () => replace([new Map()]), value: {} },
  ])('what a hook gives in $hook becomes plain data too', async ({ hook, gives, value }) => {
    expect((await hooked(hook, gives)).results).toMatchObject([{ status: 'ok', value }])
  })

  test('a hook whose result refers to itself has failed; the call keeps the one it had', async () => {
    const { results, events } = await hooked('afterTool', () => replace(ring))
    expect(results).toMatchObject([{ status: 'ok', value: 'seen' }])
    const error = expect.stringMatching(/itself/)
    expect(events).toContainEqual(expect.objectContaining({ type: 'hook.failed', error }))
  })

  test('whatever a tool returns, the log takes it, and gives back the same', async () => {
    const odd = [1n, new Map([[1, 2]]), new Set(), new Error('Off.'), ring, () => 1, undefined, Number.NaN, new Date(0)]
    const tools = odd.map((value, i) => tool({ name: `give${i}`, run: () => value }))
    const calls = tools.map(({ name }) => ({ name }))
    const store = memoryStore()
    const chat = createAgent({ model: scriptedModel([{ calls }, 'Done']), tools, store }).conversation('odd')
    const { status, messages } = await chat.send('Go')
    expect(status).toBe('completed')
    expect(messages).toHaveLength(odd.length + 3)
    const again = createAgent({ model: scriptedModel([]), store }).conversation('odd')
    expect(again.messages).toEqual(messages)
  })

  test('maxResult cuts what is longer, and says so', async () => {
    const long = await callOnce(tool({ name: 'give', maxResult: 10, run: () => 'x'.repeat(50) }), {})
    expect(long.result?.value).toBe(`${'x'.repeat(10)}\n[cut: 50 characters, 10 are kept]`)
    const list = await callOnce(tool({ name: 'give', maxResult: 10, run: () => Array(50).fill(1) }), {})
    expect(list.result?.value).toMatch(/^\[1,1,1,1,1\n\[cut: more than 10 characters, 10 are kept\]$/)
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
    expect(resultsOf(messages).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
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
