import {
  createAgent,
  debugPipeline,
  finish,
  goto,
  type Message,
  middleware,
  performancePipeline,
  pipeline,
  type Span,
  skip,
  stage,
  textOf,
  tool,
} from 'turnbuckle'
import { checkHistory, recorder, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

declare module 'turnbuckle' {
  interface OwnStages {
    vet: { input: Message; result: { fine: boolean } }
  }
}

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look' }] }, 'Done'], { repeat: true })
const vet = () =>
  stage({
    name: 'vet',
    description: 'look for bad words',
    estimatedMs: 5,
    run: (_ctx, reply: Message) => ({ fine: !textOf(reply).includes('bad') }),
  })

describe('a stage of your own', () => {
  test('gets its three hooks by its name, and what the stage before it gave', async () => {
    const order: unknown[] = []
    const watch = middleware({
      name: 'watch',
      beforeVet: ctx => void order.push(['before', textOf(ctx.input)]),
      async wrapVet(_ctx, next) {
        const verdict = await next()
        order.push(['wrap', verdict.fine])
        return verdict
      },
      afterVet: ctx => void order.push(['after', ctx.status, ctx.result.fine]),
    })
    const agent = createAgent({
      model: looks(),
      tools: [look],
      use: [watch],
      pipeline: pipeline().after('model', vet()),
    })
    await agent.send('Go')
    const once = (text: string) => [
      ['before', text],
      ['wrap', true],
      ['after', 'done', true],
    ]
    expect(order).toEqual([...once('Looking.'), ...once('Done')])
  })

  test('is recorded like any other, can be skipped, and its directives count', async () => {
    const record = recorder({ stages: ['vet'] })
    const steer = middleware({
      name: 'steer',
      beforeVet: () => skip({ fine: true }),
      afterVet: () => finish('seen'),
    })
    const agent = createAgent({
      model: looks(),
      tools: [look],
      use: [record, steer],
      pipeline: pipeline().after('model', vet()),
    })
    expect(await agent.send('Go')).toMatchObject({ reason: 'seen', by: 'steer', steps: 1 })
    expect(record.calls.filter(({ hook }) => hook.endsWith('Vet')).map(({ hook, status }) => [hook, status])).toEqual([
      ['beforeVet', undefined],
      ['afterVet', 'skipped'],
    ])
  })

  test('that throws fails the turn', async () => {
    const breaks = stage({ name: 'breaks', run: () => Promise.reject(new Error('broken')) })
    const agent = createAgent({ model: looks(), tools: [look], pipeline: pipeline().before('model', breaks) })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', reason: 'broken', by: 'breaks' })
  })

  test('can be gone to', async () => {
    let visits = 0
    const plan = stage({ name: 'plan', run: () => ++visits })
    const back = middleware({
      name: 'back',
      afterDecide: ctx => (ctx.step === 0 && visits === 1 ? goto('plan') : undefined),
    })
    const chat = createAgent({
      model: scriptedModel(['One', 'Two']),
      use: [back],
      pipeline: pipeline().before('model', plan),
    }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', steps: 2 })
    expect(visits).toBe(2)
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test('stands in the turn as well as in the step', async () => {
    const order: string[] = []
    const first = stage({ name: 'load', run: () => void order.push('load') })
    const last = stage({ name: 'report', run: () => void order.push('report') })
    const model = looks()
    const agent = createAgent({ model, tools: [look], pipeline: pipeline().after('input', first).after('step', last) })
    await agent.send('Go')
    expect(order).toEqual(['load', 'report'])
  })

  test('needs a name that hooks can be named after', () => {
    expect(() => stage({ name: 'My stage', run: () => 1 })).toThrow('Use camelCase')
  })
})

describe('shaping', () => {
  test('says what there is, with descriptions', () => {
    const shaped = pipeline().after('model', vet())
    expect(shaped.step.map(({ name }) => name)).toEqual(['model', 'vet', 'detect', 'append', 'tools', 'decide'])
    expect(pipeline().step.map(({ name }) => name)).toEqual(['model', 'detect', 'append', 'tools', 'decide'])
    expect(shaped.stages.find(({ name }) => name === 'vet')).toMatchObject({
      description: 'look for bad words',
      estimatedMs: 5,
    })
    expect(pipeline().stages.every(({ description }) => description)).toBe(true)
  })

  test('replace puts another stage in its place: it takes the same, and its result goes to the same place', async () => {
    const canned = stage({
      name: 'model',
      run: () => ({ id: 'x', role: 'assistant', content: [{ type: 'text', text: 'Canned.' }] }),
    })
    const agent = createAgent({ model: scriptedModel([]), pipeline: pipeline().replace('model', canned) })
    expect((await agent.send('Go')).text).toBe('Canned.')
  })

  test('remove leaves a stage out; calls that nobody runs are still answered', async () => {
    const model = looks()
    const agent = createAgent({ model, tools: [look], pipeline: pipeline().remove('tools'), maxSteps: 3 })
    const { messages } = await agent.send('Go')
    expect(checkHistory(messages)).toEqual([])
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
    for (const prompt of model.prompts) expect(checkHistory(prompt.messages)).toEqual([])
  })

  test.each([
    {
      what: 'an unknown place',
      shape: () => pipeline().after('modle', vet()),
      code: 'stage.unknown',
      says: /Did you mean "model"\?/,
    },
    {
      what: 'a name twice',
      shape: () => pipeline().after('model', vet()).after('model', vet()),
      code: 'stage.duplicate',
      says: /choose another name/,
    },
    ...['turn', 'input', 'append', 'tool', 'generate'].map(name => ({
      what: `removing ${name}`,
      shape: () => pipeline().remove(name),
      code: 'stage.required',
      says: /The loop needs/,
    })),
    ...['turn', 'append', 'tool'].map(name => ({
      what: `another name for ${name}`,
      shape: () => pipeline().replace(name, vet()),
      code: 'stage.required',
      says: /of that name/,
    })),
    {
      what: 'removing what is not there',
      shape: () => pipeline().remove('zzz'),
      code: 'stage.unknown',
      says: /Stages here: turn, input/,
    },
  ])('$what is refused', ({ shape, code, says }) => {
    let seen: unknown
    try {
      shape()
    } catch (error) {
      seen = error
    }
    expect(seen).toMatchObject({ code })
    expect(String(seen)).toMatch(says)
  })

  test('a hook for a stage that the pipeline does not have is refused', () => {
    const own = middleware({ name: 'own', beforeVet: () => {} })
    expect(() => createAgent({ model: looks(), use: [own] })).toThrow('matches no stage')
    expect(() => createAgent({ model: looks(), use: [own], pipeline: pipeline().after('model', vet()) })).not.toThrow()
  })
})

test('goto(pipeline) hands over to another pipeline for the rest of the turn', async () => {
  let visits = 0
  const counted = stage({ name: 'vet', run: () => ++visits })
  const strict = pipeline().after('model', counted)
  const switches = middleware({ name: 'switches', afterDecide: ctx => (ctx.step === 0 ? goto(strict) : undefined) })
  const agent = createAgent({ model: looks(), tools: [look], use: [switches] })
  const turn = agent.send('Go')
  expect(await turn).toMatchObject({ status: 'completed', steps: 2 })
  expect(visits).toBe(1)
  expect(turn.explain()).toMatchObject([{ directive: 'goto', reason: 'another pipeline', won: true }])
})

describe('ready variants', () => {
  test('a log that throws is reported, and the turn goes on', async () => {
    const broken = debugPipeline(() => {
      throw new Error('disk full')
    })
    const turn = createAgent({ model: scriptedModel(['Hi.']), pipeline: broken }).send('Go.')
    const failures: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.error)
    expect((await turn).text).toBe('Hi.')
    expect(new Set(failures)).toEqual(new Set(['disk full']))
  })

  test('debug tells every stage and hook: its time, what it returned and changed', async () => {
    const clock = virtualClock()
    const spans: Span[] = []
    const slow = middleware({
      name: 'slow',
      state: 0,
      async beforeTool(ctx) {
        await ctx.clock.sleep(30)
        ctx.update(n => n + 1)
        return skip('cached')
      },
    })
    const agent = createAgent({
      model: looks(),
      tools: [look],
      use: [slow],
      clock,
      pipeline: debugPipeline(span => spans.push(span)),
      breaker: false,
    })
    const turn = agent.send('Go')
    await clock.advance(30)
    await turn
    expect(spans.find(({ kind }) => kind === 'hook')).toMatchObject({
      at: 'beforeTool',
      by: 'slow',
      stage: 'tool',
      durationMs: 30,
      directive: 'skip',
      callId: 'call_1_1',
      changed: [{ what: 'state', before: 0, after: 1 }],
    })
    const stages = spans
      .filter(({ kind }) => kind === 'stage')
      .map(({ stage: name, status, depth }) => `${name} ${status} ${depth}`)
    expect(stages).toContain('tool skipped 3')
    expect(stages.at(-1)).toBe('turn done 0')
    expect(stages).toHaveLength(1 + 1 + 2 + 2 + 2 + 4 + 1 + 1 + 2)
  })

  test('performance runs no hook at all', async () => {
    const record = recorder({ on: ['onChunk', 'onError'] })
    const agent = createAgent({ model: looks(), tools: [look], use: [record], pipeline: performancePipeline() })
    expect((await agent.send('Go')).text).toBe('Done')
    expect(record.calls).toEqual([])
  })

  test('onTrace hears the same spans in any pipeline; its failure is only reported', async () => {
    const spans: string[] = []
    const tracer = middleware({
      name: 'tracer',
      onTrace(span) {
        spans.push(span.stage)
        if (span.stage === 'decide') throw new Error('full disk')
      },
    })
    const turn = createAgent({ model: scriptedModel(['Hi']), use: [tracer] }).send('Go')
    expect((await turn).status).toBe('completed')
    expect(spans).toEqual(['input', 'append', 'model', 'detect', 'append', 'decide', 'step', 'turn'])
  })

  test('onOpen hears every stage and hook begin, under the id and parent that its end repeats', async () => {
    const told: string[] = []
    const names = new Map<number | undefined, string>()
    const tracer = middleware({
      name: 'tracer',
      onOpen({ id, parentId, stage, at = stage }) {
        names.set(id, at)
        told.push(`${names.get(parentId) ?? ''}>${at}`)
      },
      onTrace: ({ id, parentId }) => void told.push(`${names.get(parentId) ?? ''}<${names.get(id)}`),
    })
    const hook = middleware({ name: 'hook', beforeTool: () => {} })
    await createAgent({ model: looks(), tools: [look], use: [hook, tracer], breaker: false }).send('Go')
    expect(told.slice(0, 4)).toEqual(['>turn', 'turn>input', 'turn<input', 'turn>append'])
    expect(told.filter(line => /tool|Tool/.test(line))).toEqual([
      'step>tools',
      'tools>tool',
      'tool>beforeTool',
      'tool<beforeTool',
      'tools<tool',
      'step<tools',
    ])
    expect(told.at(-1)).toBe('<turn')
    expect(told.filter(line => line.includes('>')).length * 2).toBe(told.length)
  })
})
