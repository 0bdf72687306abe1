import { agentTool, type CreateAgentOptions, createAgent, middleware, type Tool, tool } from 'turnbuckle'
import { toolRetry } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { resultsOf } from '../../../test/support/results-of.ts'

const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
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

test("a tool's context keeps the step of its call", async () => {
  const steps: { readonly step: number }[] = []
  const keep = tool({ name: 'look', run: (_args, ctx) => void steps.push(ctx) })
  await createAgent({ model: looks(), tools: [keep] }).send('Go')
  expect(steps.map(({ step }) => step)).toEqual([0])
})

describe('a tool that changes its arguments in place', () => {
  const args = { list: [1, 2], deep: { a: 1 } }
  const change = (given: Record<string, unknown>) => {
    ;(given.list as number[]).push(3)
    Object.assign(given.deep as object, { a: 2 })
    return given
  }
  const anything = z.object({ list: z.any(), deep: z.unknown() })
  const sees = middleware({ name: 'sees', guard: true, beforeTool: ctx => void ctx.call.args })
  const asked = (options: Partial<CreateAgentOptions>) => {
    const model = scriptedModel([{ calls: [{ name: 'change', args, id: 'c1' }] }, 'Done'])
    return createAgent({ model, breaker: false, ...options }).send('Go')
  }

  test.each<{ what: string; made: Tool; use?: CreateAgentOptions['use'] }>([
    { what: 'without hooks', made: tool({ name: 'change', run: change }) },
    { what: 'behind a guard', made: tool({ name: 'change', run: change }), use: [sees] },
    { what: 'with a schema that passes them on', made: tool({ name: 'change', input: anything, run: change }) },
    {
      what: 'after it has read the path',
      made: tool({
        name: 'change',
        run(given, ctx) {
          expect(ctx.path).toHaveLength(2)
          return change(given)
        },
      }),
    },
  ])('changes its own: $what', async ({ made, use = [] }) => {
    const { messages } = await asked({ tools: [made], use })
    expect(resultsOf(messages)[0]).toMatchObject({ status: 'ok', value: { list: [1, 2, 3], deep: { a: 2 } } })
    expect(messages[1]?.content[0]).toMatchObject({ type: 'call', args: { list: [1, 2], deep: { a: 1 } } })
  })

  test('has them as the model wrote them when it is run again', async () => {
    let runs = 0
    const flaky = tool({
      name: 'change',
      idempotent: true,
      run(given) {
        change(given)
        if (!runs++) throw new Error('Busy.')
        return given
      },
    })
    const { messages } = await asked({ tools: [flaky], use: [toolRetry({ times: 1, baseMs: 0 })] })
    expect(resultsOf(messages)[0]).toMatchObject({ status: 'ok', value: { list: [1, 2, 3] } })
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
  const tooLarge = { type: 'file', mediaType: 'image/png', data: new Uint8Array(8_000_000) }

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

describe('events of a call carry the message that made it', () => {
  const events = async (options: Partial<CreateAgentOptions>, interrupts = false) => {
    const clock = virtualClock()
    const look = tool({
      name: 'look',
      run(_args, ctx) {
        ctx.emit({ type: 'tool.progress', done: 1 })
        return new Promise<string>(resolve => clock.after(10, () => resolve('seen')))
      },
    })
    const calls = (...ids: string[]) => ({ calls: ids.map(id => ({ name: 'look', id, args: { id } })) })
    const model = scriptedModel([calls('a', 'b'), calls('c'), 'Done'])
    const agent = createAgent({ model, tools: [look], clock, ids: sequentialIds(), ...options })
    const turn = agent.send('Go')
    if (interrupts) await clock.advance(15)
    if (interrupts) turn.interrupt()
    await clock.advance(100)
    const { messages } = await turn.settled
    const made = new Map(
      messages.flatMap(({ id: messageId, content }) =>
        content.flatMap(part => (part.type === 'call' ? [[part.id, messageId] as const] : [])),
      ),
    )
    const seen: string[] = []
    for await (const event of turn)
      if (event.type.startsWith('tool.') && 'callId' in event) {
        seen.push(`${event.type} ${event.callId}`)
        expect(event).toHaveProperty('messageId', made.get(event.callId as string))
      }
    return seen
  }
  const one = (id: string) => ['tool.executing', 'tool.progress', 'tool.completed'].map(type => `${type} ${id}`)

  test.each([
    { name: 'as it comes', options: {} },
    { name: 'on a log', options: { store: memoryStore() } },
  ])('$name', async ({ options }) => {
    const seen = await events(options)
    expect([...seen].sort()).toEqual(
      [...one('a'), ...one('b'), ...one('c'), 'tool.pending a', 'tool.pending b', 'tool.pending c'].sort(),
    )
  })

  test('also of calls that an interrupt ends', async () => {
    expect(await events({}, true)).toContain('tool.failed c')
  })
})

describe('a tool knows who asked', () => {
  const client = { id: 'ada', name: 'Ada' }
  const asks = () => {
    const seen: unknown[] = []
    const who = tool({
      name: 'who',
      idempotent: true,
      run: (_args, ctx) => void seen.push(ctx.client, ctx.messages.length),
    })
    return { seen, who }
  }
  const whos = () => scriptedModel([{ calls: [{ name: 'who' }] }, 'Done'])

  test('by the client of the turn, and what was said so far', async () => {
    const { seen, who } = asks()
    const chat = createAgent({ model: whos(), tools: [who] }).conversation()
    await chat.send('Go', { client })
    expect(seen).toEqual([client, 2])
  })
  test('in a sub-agent too', async () => {
    const { seen, who } = asks()
    const child = createAgent({ model: whos(), tools: [who] })
    const model = scriptedModel([{ calls: [{ name: 'child', args: { task: 'ask' } }] }, 'Done'])
    await createAgent({ model, tools: [agentTool(child, { name: 'child' })] })
      .conversation()
      .send('Go', { client })
    expect(seen[0]).toEqual(client)
  })
  test('after a crash', async () => {
    const { seen, who } = asks()
    const { driver } = memoryStore()
    const store = () => createStore(driver, { leaseMs: 0 })
    const hangs = tool({ name: 'who', idempotent: true, run: () => new Promise(() => {}) })
    createAgent({ model: whos(), tools: [hangs], store: store() })
      .conversation('c')
      .send('Go', { client })
    await vi.waitFor(async () => expect(await store().nodes('c')).toHaveLength(2))
    const agent = createAgent({ model: scriptedModel(['Done']), tools: [who], store: store() })
    await agent.open('c')
    await agent.resume('c')
    expect(seen[0]).toEqual(client)
  })
})

test('calls that a dead process had begun side by side all ask at once whether they happened', async () => {
  const { driver } = memoryStore()
  let begun = 0
  let dead: () => void = () => {}
  const bothBegun = new Promise<void>(resolve => {
    dead = resolve
  })
  const hangs = tool({
    name: 'hangs',
    run: () => {
      if (++begun === 2) dead()
      return new Promise<never>(() => {})
    },
  })
  const calls = [{ name: 'hangs' }, { name: 'hangs', args: { n: 2 } }]
  const first = { model: scriptedModel([{ calls }]), tools: [hangs], store: createStore(driver, { leaseMs: 0 }) }
  createAgent(first).conversation('c').send('Go')
  await bothBegun
  const agent = createAgent({
    model: scriptedModel(['Done']),
    tools: [hangs],
    store: createStore(driver, { leaseMs: 0 }),
  })
  const chat = await agent.open('c')
  const turn = agent.resume('c')
  await vi.waitUntil(() => chat.requests.length === 2)
  for (const { id } of chat.requests) chat.answer(id, { outcome: 'happened' })
  expect((await turn)?.status).toBe('completed')
})

test.each([
  { withheld: null, told: [] },
  { withheld: undefined, told: [] },
  { withheld: 'Withheld.', told: ['Withheld.'] },
])('progress that a redactor replaces by $withheld is not told as it was', async ({ withheld, told }) => {
  const hides = middleware({ name: 'hides', redactsResult: ({ status }) => ({ status, value: withheld }) })
  const look = tool({ name: 'look', run: (_args, ctx) => void ctx.emit({ type: 'tool.progress', text: 'secret' }) })
  const texts: unknown[] = []
  for await (const event of createAgent({ model: looks(), tools: [look], use: [hides] }).send('Go'))
    if (event.type === 'tool.progress') texts.push(event.text)
  expect(texts).toEqual(told)
})
