import { again, createAgent, type Event, middleware, replace, type Turn, tool, type Use } from 'turnbuckle'
import { approval, critic, pii, stepLimit, timeLimit, todo, tokenLimit } from 'turnbuckle/middleware'
import { memoryStore, type ReplayOptions, replay } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

interface Given {
  readonly script: readonly ScriptedStep[]
  readonly use?: readonly Use[]
  readonly says?: readonly string[]
  readonly person?: (turn: Turn, event: Event) => void
  readonly result?: unknown
}

const look = { name: 'look', args: { at: 'it' }, id: 'x' }

/** Records a turn for each message, and returns how to replay the last one. */
async function record({ script, use = [], says = ['Go.'], person, result = 'mail joe@example.com' }: Given) {
  const store = memoryStore()
  const run = () => result
  const tools = [tool({ name: 'look', run })]
  const chat = createAgent({ model: scriptedModel(script), tools, use, store, breaker: false }).conversation('c')
  let last: Turn | undefined
  for (const message of says) {
    last = chat.send(message)
    for await (const event of last) person?.(last, event)
  }
  return (options: ReplayOptions) => replay(store, last?.id ?? '', options)
}

describe('the same middleware gives the same where the record has only what it left', () => {
  const personal = { text: 'a joe@example.com', calls: [look] }
  const exclaim = middleware({ name: 'exclaim', afterTool: ({ result }) => replace(`${result?.value}!`) })
  const signed = middleware({
    name: 'signed',
    afterModel: ({ result }) =>
      result?.content.some(({ type }) => type === 'call') ? undefined : replace(`${result?.id ? 'Signed' : ''}.`),
  })
  test.each<{ name: string; use: Use[]; unverified: number }>([
    { name: 'pii', use: [pii()], unverified: 1 },
    { name: 'pii that blocks', use: [pii({ style: 'block', input: false, output: false })], unverified: 1 },
    { name: 'a result that grows each time', use: [exclaim], unverified: 1 },
    { name: 'a reply that is replaced', use: [signed], unverified: 1 },
    { name: 'no middleware', use: [], unverified: 0 },
  ])('$name', async ({ use, unverified }) => {
    const again = await record({ script: [personal, 'To joe@example.com'], use, says: ['I am joe@example.com'] })
    const replayed = await again({ use })
    expect(replayed).toMatchObject({ outcome: 'same', differences: [], texts: [], divergence: undefined })
    expect(replayed.unverified).toHaveLength(unverified)
  })

  test('without it the decision is different', async () => {
    const again = await record({ script: [personal, 'Done.'], use: [pii()] })
    expect(await again({ use: [] })).toMatchObject({
      outcome: 'different',
      differences: [{ when: 'then', directive: 'replace', by: 'pii' }],
    })
  })
})

describe('texts', () => {
  test('a reply that reads otherwise is different, though no decision is', async () => {
    const again = await record({ script: ['Write to joe@example.com.'] })
    expect(await again({ use: [pii()] })).toMatchObject({
      outcome: 'different',
      differences: [],
      texts: [{ role: 'assistant', before: 'Write to joe@example.com.', after: 'Write to [email].' }],
    })
  })

  test('a message that the model would have seen otherwise diverges, and the text says how', async () => {
    const again = await record({ script: ['Hi.'], says: ['I am joe@example.com'] })
    expect(await again({ use: [pii()] })).toMatchObject({
      outcome: 'diverged',
      texts: [{ role: 'user', before: 'I am joe@example.com', after: 'I am [email]' }],
    })
  })

  test('what the replay did not come to is no difference', async () => {
    const stops = middleware({ name: 'stops', afterDecide: ({ step }) => (step ? undefined : again('More.')) })
    const replayed = await (await record({ script: [{ calls: [look] }, 'One.'], use: [stops] }))({
      use: [middleware({ name: 'told', beforeModel: ctx => ctx.instruct('Be brief.') })],
    })
    expect(replayed).toMatchObject({ outcome: 'diverged', differences: [], texts: [] })
  })
})

describe('stand-ins for people', () => {
  const asks = approval({ ask: ['look'] })
  const script = [{ calls: [look] }, 'Done.']
  test.each<{ name: string; answers?: ReplayOptions['answers']; gives: object }>([
    { name: 'none', gives: { outcome: 'diverged', divergence: { reason: 'then nobody was asked this' } } },
    { name: 'a word', answers: { permission: 'allow' }, gives: { outcome: 'same' } },
    { name: 'for any kind', answers: { '*': { decision: 'allow' } }, gives: { outcome: 'same' } },
    { name: 'a function', answers: ({ kind }) => kind === 'permission' && 'allow', gives: { outcome: 'same' } },
    {
      name: 'a no',
      answers: { permission: 'deny' },
      gives: { outcome: 'different', differences: [{ by: 'approval' }] },
    },
    { name: 'another kind', answers: { plan: 'yes' }, gives: { outcome: 'diverged' } },
    {
      name: 'nonsense',
      answers: { permission: 'perhaps' },
      gives: { outcome: 'diverged', divergence: { at: 'request', reason: expect.stringContaining('refused') } },
    },
  ])('$name', async ({ answers, gives }) => {
    const again = await record({ script })
    expect(await again({ use: [asks], ...(answers ? { answers } : {}) })).toMatchObject(gives)
  })

  test("the record's answer comes first", async () => {
    const again = await record({
      script,
      use: [asks],
      person: (turn, event) => {
        if (event.type === 'request.opened') void turn.answer(event.requestId, { decision: 'allow' })
      },
    })
    expect(await again({ use: [asks], answers: { permission: 'deny' } })).toMatchObject({ outcome: 'same' })
  })

  test('a question that nobody answered in time is not answered again', async () => {
    const person = (turn: Turn, event: Event) => {
      if (event.type === 'request.opened') turn.expire(event.requestId)
    }
    const again = await record({ script, use: [asks], person })
    expect(await again({ use: [asks] })).toMatchObject({ outcome: 'same' })
  })
})

describe("stand-ins for hooks' own model calls", () => {
  const judge = (verdict: string) => scriptedModel([verdict], { repeat: true, id: 'judge' })
  const judged = () => critic(judge('REJECT: never asked'))
  test.each<{ name: string; models?: ReplayOptions['models']; gives: object }>([
    { name: 'none', gives: { outcome: 'diverged', divergence: { where: 'a model call of a hook' } } },
    { name: 'by its id', models: { judge: judge('ACCEPT') }, gives: { outcome: 'same' } },
    { name: 'for any', models: { '*': judge('ACCEPT') }, gives: { outcome: 'same' } },
    {
      name: 'one that rejects',
      models: ({ model }) => (model === 'judge' ? judge('REJECT: too short') : undefined),
      gives: { outcome: 'different', differences: [{ when: 'now', directive: 'rewind', by: 'critic' }] },
    },
  ])('$name', async ({ models, gives }) => {
    const again = await record({ script: ['Short.'] })
    expect(await again({ use: [judged()], ...(models ? { models } : {}) })).toMatchObject(gives)
  })
})

describe('limits see what was used and how long it took', () => {
  const usage = { inputTokens: 50, outputTokens: 10, cost: 2 }
  test('usage of the record is usage of the replay', async () => {
    const script = [
      { calls: [look], usage },
      { text: 'Done.', usage },
    ]
    const again = await record({ script, use: [tokenLimit(100)] })
    const replayed = await again({ use: [tokenLimit(100)] })
    expect(replayed.outcome).toBe('same')
    expect(replayed.usage.after).toEqual(replayed.usage.before)
    const strict = await again({ use: [tokenLimit(50)] })
    expect(strict).toMatchObject({ outcome: 'different', usage: { before: { cost: 4 }, after: { cost: 2 } } })
  })

  test('the clock is that of the record', async () => {
    const clock = virtualClock()
    const store = memoryStore()
    const slow = tool({ name: 'look', run: () => clock.advance(5000) })
    const model = scriptedModel([{ calls: [look] }, 'Done.'])
    const turn = createAgent({ model, tools: [slow], store, clock })
      .conversation('c')
      .send('Go.')
    await turn
    expect(await replay(store, turn.id, { use: [timeLimit(6000)] })).toMatchObject({ outcome: 'same' })
    expect(await replay(store, turn.id, { use: [timeLimit(4000)] })).toMatchObject({
      outcome: 'different',
      differences: [{ when: 'now', directive: 'stop', by: 'time-limit' }],
    })
  })
})

test('tools that middleware brings are not run, and its state of the branch is as it was', async () => {
  const list = { name: 'todo', args: { items: [{ text: 'one', status: 'open' }] } }
  const again = await record({ script: [{ calls: [list] }, 'Listed.', 'Done.'], use: [todo()], says: ['List.', 'Go.'] })
  expect(await again({ use: [todo()] })).toMatchObject({ outcome: 'same', divergence: undefined })
})

test('decisions behind the divergence are no differences', async () => {
  const script = [{ calls: [look] }, { calls: [{ ...look, id: 'y' }] }, 'Done.']
  const again = await record({ script, use: [stepLimit(2)] })
  const told = middleware({ name: 'told', beforeModel: ctx => ctx.instruct('Be brief.') })
  expect(await again({ use: [told] })).toMatchObject({ outcome: 'diverged', differences: [] })
  expect(await again({ use: [stepLimit(2)] })).toMatchObject({ outcome: 'same' })
})

test('middleware is made anew for each turn where `use` is a function', async () => {
  let made = 0
  const again = await record({ script: ['Hi.'] })
  const use = () => [middleware({ name: `made-${made++}` })]
  await again({ use })
  await again({ use })
  expect(made).toBe(2)
})

test('a tool that is given is known by its schema, and is not run', async () => {
  let runs = 0
  const validate = (value: unknown) => ({ value: { limit: 10, ...(value as object) } })
  const look = tool({
    name: 'look',
    input: { '~standard': { version: 1, vendor: 'own', validate } },
    schema: { type: 'object' },
    run: () => ++runs,
  })
  const store = memoryStore()
  const model = scriptedModel([{ calls: [{ name: 'look', args: { at: 'it' } }] }, 'Done.'])
  const turn = createAgent({ model, tools: [look], store })
    .conversation('c')
    .send('Go.')
  await turn
  expect(await replay(store, turn.id, { use: [], tools: [look] })).toMatchObject({ outcome: 'same' })
  expect(await replay(store, turn.id, { use: [] })).toMatchObject({ outcome: 'same' })
  expect(runs).toBe(1)
})

test.each([
  { whose: 'anybody', use: approval({ quorum: 2 }) },
  { whose: 'named people', use: approval({ to: ['ada', 'bob'], quorum: 2 }) },
])('stand-ins give the votes of $whose', async ({ use }) => {
  const again = await record({ script: [{ calls: [look] }, 'Done.'] })
  const replayed = await again({ use: [use], answers: { permission: 'allow' } })
  expect(replayed).toMatchObject({ outcome: 'same', divergence: undefined })
})
