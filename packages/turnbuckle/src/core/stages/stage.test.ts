import {
  again,
  block,
  createAgent,
  type Directive,
  fail,
  finish,
  goto,
  type Message,
  middleware,
  pipeline,
  replace,
  skip,
  stage,
  stop,
  type TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { checkHistory, recorder, scriptedModel } from 'turnbuckle/testing'
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
/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

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

describe('a value that cannot be the result of the stage', () => {
  test.each([
    { hook: 'afterModel', give: replace(42) },
    { hook: 'afterDetect', give: replace('no list') },
    { hook: 'afterInput', give: replace(42) },
  ])('is reported where an after hook gave it: $hook', async ({ hook, give }) => {
    const odd = middleware({ name: 'odd', [hook]: () => give } as Definition)
    const turn = createAgent({ model: oneCall(), tools: [echo], use: [odd] }).send('Go')
    const failures: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.name)
    expect(failures.length).toBeGreaterThan(0)
    expect(await turn).toMatchObject({ status: 'completed', text: 'Done' })
    expect(turn.explain()).toEqual([])
  })

  test('is the failure of the before hook that gave it', async () => {
    const odd = middleware({ name: 'odd', beforeModel: () => skip(42) })
    const { error, by } = await createAgent({ model: oneCall(), use: [odd] }).send('Go').settled
    expect({ by, kind: (error as TurnbuckleError).kind }).toEqual({ by: 'odd', kind: 'hook' })
  })
})

describe('a directive that a stage returns', () => {
  /** A stage that returns it the first time it runs. */
  const ends = (given: () => Directive) => {
    let runs = 0
    const weigh = stage({ name: 'weigh', run: async () => (runs++ ? 1 : given()) })
    return createAgent({ model: scriptedModel(['One', 'Two']), pipeline: pipeline().after('model', weigh) }).send('Go')
  }

  test.each<[string, () => Directive, object]>([
    ['stop', () => stop('heavy'), { status: 'stopped', reason: 'heavy', by: 'weigh' }],
    ['block', () => block('heavy'), { status: 'stopped', reason: 'heavy', by: 'weigh' }],
    ['fail', () => fail(new Error('heavy')), { status: 'failed', reason: 'heavy', by: 'weigh' }],
    ['finish', () => finish('light'), { status: 'completed', reason: 'light', by: 'weigh', steps: 1 }],
    ['again', () => again('lighter'), { status: 'completed', text: 'Two', steps: 2 }],
    ['goto', () => goto('model'), { status: 'completed', text: 'Two', steps: 2 }],
  ])('is obeyed: %s', async (type, given, result) => {
    const turn = ends(given)
    expect(await turn.settled).toMatchObject(result)
    expect(turn.explain()).toMatchObject([{ directive: type, by: 'weigh', at: 'weigh', won: true }])
  })
  test('skip and replace are its result', async () => {
    const seen: unknown[] = []
    const look = middleware({ name: 'look', afterWeigh: ctx => void seen.push(ctx.result) })
    for (const given of [skip, replace])
      await createAgent({
        model: scriptedModel(['One']),
        use: [look],
        pipeline: pipeline().after('model', stage({ name: 'weigh', run: () => given(7) })),
      }).send('Go')
    expect(seen).toEqual([7, 7])
  })
  test('is refused where it makes no sense', async () => {
    const early = createAgent({
      model: scriptedModel(['One']),
      pipeline: pipeline()
        .before('step', stage({ name: 'weigh', run: () => skip(1) }))
        .replace('append', stage({ name: 'append', run: () => skip() })),
    })
    const { status, error } = await early.send('Go').settled
    expect({ status, error }).toMatchObject({ status: 'failed', error: { code: 'directive.misplaced' } })
  })
  test('of a stage in the place of tool blocks the call', async () => {
    const own = pipeline().replace('tool', stage({ name: 'tool', run: () => block('not today') }))
    const { messages } = await createAgent({ model: oneCall(), tools: [echo], pipeline: own }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: 'not today' })
  })
})
