import { createAgent, type Event, middleware, type Request, replace, type ToolContext, textOf, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../support/code-of.ts'
import { calls, echo, hooks, run, withCalls } from '../support/echoing.ts'
import { resultsOf } from '../support/results-of.ts'

/** API.md, "Precisely", sentence by sentence: conversations, turns, tools and requests. */

test('9: editing', async () => {
  const seen: unknown[] = []
  const said = (content: string) => ({ role: 'user', content }) as const
  const edits = middleware({
    name: 'edits',
    beforeStep(ctx) {
      if (ctx.step) return
      const { messages } = ctx
      messages.append(said('b'))
      messages.insert(0, said('0'))
      messages.append(said('c'))
      messages.remove(messages.at(-1)?.id ?? '')
      messages.replace(messages.at(1)?.id ?? '', said('a'))
      const [zero, a, b] = [...messages].map(({ id }) => id)
      messages.reorder([b, a, zero] as string[])
      seen.push([...messages].map(textOf), textOf(messages.at(0)), textOf(messages.at(-1)), messages.at(9))
    },
  })
  const chat = createAgent({ model: scriptedModel(['Done']), use: [edits] }).conversation()
  await chat.send('Go')
  expect(seen).toEqual([['b', 'a', '0'], 'b', '0', undefined])
  expect(chat.messages.map(textOf)).toEqual(['b', 'a', '0', 'Done'])
  expect(chat.tree.map(({ message }) => textOf(message))).toContain('Go')
})

test('10: branch state belongs to the node it was recorded with', async () => {
  const seen: number[] = []
  const counts = middleware({
    name: 'counts',
    scope: 'branch',
    state: 0,
    beforeTurn(ctx) {
      seen.push(ctx.state)
      ctx.update(n => n + 1)
    },
  })
  const chat = createAgent({ model: scriptedModel(['a'], { repeat: true }), use: [counts] }).conversation()
  await chat.send('1')
  const first = chat.head as string
  await chat.send('2')
  await chat.fork(first).send('2 again')
  await chat.fork().send('3')
  chat.checkout(first)
  await chat.send('2 once more')
  expect(seen).toEqual([0, 1, 1, 2, 1])
})

test('11: instruct is for one call by default', async () => {
  const model = withCalls('c1')
  const told = middleware({
    name: 'told',
    beforeTurn(ctx) {
      ctx.instruct('Once.')
      ctx.instruct({ seed: 1 })
      ctx.instruct('Always.', { for: 'turn' })
      ctx.instruct({ temperature: 0 }, { for: 'turn' })
    },
  })
  await run([told], model)
  expect(model.prompts.map(({ instructions, params }) => [instructions, params])).toEqual([
    ['Once.\n\nAlways.', { seed: 1, temperature: 0 }],
    ['Always.', { temperature: 0 }],
  ])
})

test('12: interject and answer throw a typed error at once when refused, and return nothing when accepted', async () => {
  const asks = middleware({ name: 'asks', beforeTurn: async ctx => void (await ctx.ask('question', {})) })
  const chat = createAgent({ model: scriptedModel(['Hi', 'Ho']), use: [asks] }).conversation()
  const turn = chat.send('Go')
  const opened = await new Promise<Event & { requestId: string }>(resolve => {
    chat.subscribe(event => event.type === 'request.opened' && resolve(event))
  })
  expect(turn.interject('And')).toBeUndefined()
  expect(codeOf(() => turn.answer('nobody', {}))).toBe('request.unknown')
  expect(turn.answer(opened.requestId, { yes: true })).toBeUndefined()
  expect(codeOf(() => turn.answer(opened.requestId, {}))).toBe('request.answered')
  await turn
  expect(codeOf(() => turn.interject('Late'))).toBe('turn.ended')
})

test("13: a tool's context", async () => {
  const events: Event[] = []
  let seen: ToolContext | undefined
  const look = tool({
    name: 'echo',
    run(_args, ctx) {
      seen = ctx
      const { emit, interject } = ctx
      emit({ type: 'tool.progress', done: 1 })
      interject('By the way.')
      return [ctx.call.id, ctx.path.length, ctx.tree.length, ctx.step, ctx.signal.aborted]
    },
  })
  const turn = run([], withCalls('c1'), { tools: [look] })
  for await (const event of turn) events.push(event)
  expect(resultsOf((await turn).messages)).toMatchObject([{ value: ['c1', 2, 2, 0, false] }])
  expect(seen?.conversation.messages).toHaveLength(5)
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool.progress', callId: 'c1', name: 'echo', done: 1 }))
  expect(events).toContainEqual(expect.objectContaining({ type: 'interjection.applied', text: 'By the way.' }))
})

describe('14: ask without an answer', () => {
  const asking = async (kind: string, options: object) => {
    const clock = virtualClock()
    const seen: unknown[] = []
    const asks = middleware({
      name: 'asks',
      beforeTurn: ctx =>
        ctx.ask(kind, {}, options).then(
          answer => void seen.push(answer),
          error => void seen.push(error.code),
        ),
    })
    const chat = createAgent({ model: scriptedModel(['Hi']), use: [asks], clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(299_999)
    const waiting: readonly Request[] = chat.requests
    const early = seen.length
    await clock.advance(1)
    await turn
    return { seen, early, waiting: waiting.length }
  }
  test.each([
    { kind: 'permission', options: { fallback: 'deny' }, seen: [{ decision: 'deny' }] },
    { kind: 'permission', options: { fallback: 'allow' }, seen: [{ decision: 'allow' }] },
    { kind: 'colour', options: { fallback: { colour: 'red' } }, seen: [{ colour: 'red' }] },
    { kind: 'colour', options: {}, seen: ['request.expired'] },
  ])('$kind with $options, after five minutes', async ({ kind, options, seen }) => {
    expect(await asking(kind, options)).toMatchObject({ seen, early: 0, waiting: 1 })
  })
})

test('15: a tip is owned from send on; another handle makes a sibling branch', async () => {
  const chat = createAgent({ model: scriptedModel(['a'], { repeat: true }) }).conversation()
  await chat.send('1')
  const tip = chat.head
  const turn = chat.send('2')
  expect(codeOf(() => chat.send('3'))).toBe('turn.running')
  const other = chat.fork(tip)
  await Promise.all([turn, other.send('3')])
  const siblings = chat.tree.filter(({ parentId }) => parentId === tip)
  expect(siblings.map(({ message }) => textOf(message)).sort()).toEqual(['2', '3'])
})

test('16: iterating a turn replays its events from turn.started, for any number of readers, and never throws', async () => {
  const model = scriptedModel([calls('c1'), { text: 'Half', error: new Error('Off.') }])
  const turn = run([], model, { clock: virtualClock() })
  const read = async () => {
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    return events
  }
  const [one, two] = await Promise.all([read(), read()])
  expect(one[0]?.type).toBe('turn.started')
  expect(one.at(-1)?.type).toBe('turn.failed')
  expect(two).toEqual(one)
  expect(await read()).toEqual(one)
})

test('17: steps are model stages opened, text is the last reply’s, messages are this turn’s own', async () => {
  const chat = createAgent({
    model: scriptedModel(['First', { text: 'Hm', ...calls('c1') }, 'Last']),
    tools: [echo],
  }).conversation()
  await chat.send('One')
  const { steps, text, messages } = await chat.send('Two')
  expect({ steps, text }).toEqual({ steps: 2, text: 'Last' })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(messages).toEqual(chat.messages.slice(2))
})

describe('20', () => {
  test.each([
    { parallelTools: undefined, most: 3 },
    { parallelTools: 2, most: 2 },
    { parallelTools: 1, most: 1 },
  ])('parallelTools $parallelTools: $most at once', async ({ parallelTools, most }) => {
    let running = 0
    let seen = 0
    const slow = tool({
      name: 'echo',
      async run() {
        seen = Math.max(seen, ++running)
        await new Promise<void>(resolve => setImmediate(resolve))
        running--
      },
    })
    await run([], withCalls('a', 'b', 'c'), { tools: [slow], ...(parallelTools ? { parallelTools } : {}) })
    expect(seen).toBe(most)
  })
  test('maxResult counts JSON characters', async () => {
    const long = tool({ name: 'echo', maxResult: 20, run: () => ({ list: Array(100).fill(7) }) })
    const { messages } = await run([], withCalls('c1'), { tools: [long] })
    expect(resultsOf(messages)[0]?.value).toMatch(/^\{"list":\[7,7,7,7,7,7\n\[cut: /)
  })
  test.each([
    { onFailure: 'open', status: 'completed' },
    { onFailure: 'closed', status: 'failed' },
  ] as const)('onFailure $onFailure', async ({ onFailure, status }) => {
    const throws = () => {
      throw new Error('Off.')
    }
    for (const hook of ['beforeModel', 'afterModel', 'wrapModel'])
      expect((await run([hooks({ onFailure, [hook]: throws })]).settled).status).toBe(status)
  })
  test('onError(error, ctx), ctx.fork() and the draft', async () => {
    const seen: unknown[] = []
    const error = new Error('Off.')
    const spy = middleware({
      name: 'spy',
      onError: (thrown, ctx) => void seen.push(thrown, ctx.call?.id, ctx.fork().messages.length),
      afterStep: ({ draft }) => {
        const { userMessage, text, reply, calls, results, errors, startedAt } = draft
        seen.push([
          textOf(userMessage),
          text,
          textOf(reply),
          calls.length,
          results.length,
          errors.length,
          typeof startedAt,
        ])
      },
    })
    const broken = tool({ name: 'echo', run: () => Promise.reject(error) })
    await run([spy], withCalls('c1'), { tools: [broken] })
    expect(seen).toEqual([error, 'c1', 3, ['Go', '', '', 1, 1, 1, 'number'], ['Go', '', 'Done', 0, 0, 0, 'number']])
  })
  test('replace: the last one wins', async () => {
    const use = [hooks({ afterTool: () => replace('outer') }, 'a'), hooks({ afterTool: () => replace('inner') }, 'b')]
    expect(resultsOf((await run(use)).messages)).toMatchObject([{ value: 'outer' }])
  })
})
