import {
  type Context,
  createAgent,
  type Directive,
  type Draft,
  goto,
  type Message,
  middleware,
  replace,
  skip,
  stop,
  type Turn,
  type TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.ts'
import { resultsOf } from './results-of.ts'

/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

test('an error that fails two turns carries the result of the one that was awaited', async () => {
  const error = new Error('Down')
  const agent = createAgent({ model: scriptedModel([{ error }, { text: 'Half', error }]) })
  await expect(agent.send('One')).rejects.toHaveProperty('result.text', '')
  await expect(agent.send('Two')).rejects.toHaveProperty('result.text', 'Half')
})

describe('goto', () => {
  const jumping = async (hook: string, to: string, options: { maxSteps?: number; always?: boolean } = {}) => {
    let jumped = false
    const jump = middleware({
      name: 'jump',
      [hook]: (): Directive | undefined => {
        if (jumped && !options.always) return undefined
        jumped = true
        return goto(to)
      },
    } as Definition)
    const model = options.always ? scriptedModel(['Again'], { repeat: true }) : oneCall()
    return createAgent({ model, tools: [echo], use: [jump], maxSteps: options.maxSteps ?? 50 }).send('Go').settled
  }

  test('cannot open more model stages than maxSteps', async () => {
    const { status, by, steps } = await jumping('afterModel', 'model', { maxSteps: 5, always: true })
    expect({ status, by, steps }).toEqual({ status: 'stopped', by: 'maxSteps', steps: 5 })
  })

  test('to the tools, past the detection, runs the calls of the reply', async () => {
    const { messages, text } = await jumping('afterModel', 'tools')
    expect(resultsOf(messages)).toMatchObject([{ status: 'ok', value: { n: 1 } }])
    expect(text).toBe('Done')
  })

  test('to the model, after the decision to go on, leaves that decision behind', async () => {
    const { messages, steps } = await jumping('afterDecide', 'model')
    expect(steps).toBe(2)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done' }] })
  })

  test('away from a call tells the model that it was not run', async () => {
    const { messages } = await jumping('beforeTool', 'decide')
    expect(resultsOf(messages)).toMatchObject([{ status: 'blocked', value: 'The call was not run.' }])
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

test('state is immutable through and through, the first one too', async () => {
  const refused: boolean[] = []
  const counter = middleware({
    name: 'counter',
    state: { list: [1] },
    beforeModel(ctx) {
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
      ctx.update(({ list }) => ({ list: [...list, 2] }))
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
    },
  })
  await createAgent({ model: scriptedModel(['Hi']), use: [counter] }).send('Go')
  expect(refused).toEqual([true, true])
})

test('a guard whose wrap changes the input has failed: the call is blocked', async () => {
  const guard = middleware({
    name: 'guard',
    guard: true,
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { n: 2 } }),
  })
  const { messages } = await createAgent({ model: oneCall(), tools: [echo], use: [guard] }).send('Go')
  expect(resultsOf(messages)).toMatchObject([{ status: 'blocked' }])
})

test('an answer to a request of another conversation is foreign', async () => {
  const asks = middleware({
    name: 'asks',
    beforeModel: async ctx => void (await ctx.ask('clarification', 'Which?')),
  })
  const agent = createAgent({ model: scriptedModel(['Hi', 'Hi']), use: [asks] })
  const [one, other] = [agent.conversation(), agent.conversation()]
  const turns = [one.send('Go'), other.send('Go')]
  while (!one.requests.length || !other.requests.length) await Promise.resolve()
  const id = other.requests[0]?.id ?? ''
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.foreign')
  expect(codeOf(() => turns[0]?.answer(id, { text: 'This' }))).toBe('request.foreign')
  other.answer(id, { text: 'This' })
  one.answer(one.requests[0]?.id ?? '', { text: 'That' })
  await Promise.all(turns)
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.unknown')
})

describe('the turn', () => {
  const answer = async (hooks: object) => {
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    const { text, status, steps, messages } = await createAgent({ model: scriptedModel(['Hi']), use: [odd] }).send('Go')
    return { text, status, steps, said: messages.map(textOf) }
  }

  test('works on the message that a before hook put in its place', async () => {
    const beforeTurn = (ctx: { message: Message }) => {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'Other' }] }
    }
    expect(await answer({ beforeTurn })).toMatchObject({ said: ['Other', 'Hi'] })
    const skipping = { beforeTurn: (ctx: { message: Message }) => [beforeTurn(ctx), skip('No')][1] }
    expect(await answer(skipping)).toMatchObject({ said: ['Other', 'No'] })
  })

  test.each([
    { what: 'a string', hooks: { beforeTurn: () => skip('Ready') } },
    { what: 'a message', hooks: { beforeTurn: () => skip({ role: 'assistant', content: 'Ready' }) } },
    { what: 'what a wrap returned', hooks: { wrapTurn: () => 'Ready' } },
  ])('is answered without the loop by $what', async ({ hooks }) => {
    expect(await answer(hooks)).toEqual({ text: 'Ready', status: 'completed', steps: 0, said: ['Go', 'Ready'] })
  })
})

test('a stage has only what it takes', async () => {
  const seen: unknown[] = []
  const curious = middleware({
    name: 'curious',
    beforeTurn: ctx => void seen.push('prompt' in ctx && ctx.prompt),
    beforeModel: ctx => void seen.push('message' in ctx && ctx.message),
    beforeTool: ctx => void seen.push(codeOf(() => Object.assign(ctx, { prompt: {} }))),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [curious] }).send('Go')
  expect(seen).toEqual([undefined, undefined, 'context.foreign', undefined])
})

test('a conversation is found by its id while somebody holds it, and is interrupted when the agent closes', async () => {
  const agent = createAgent({ model: scriptedModel(['Hi', { text: 'Late', delayMs: 60_000 }]) })
  const chat = agent.conversation()
  await chat.send('Go')
  expect(agent.conversation(chat.id).messages).toEqual(chat.messages)
  const turn = chat.send('On')
  await agent.close()
  expect((await turn).status).toBe('interrupted')
})

test('a scripted model waits on the clock of its agent', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: scriptedModel([{ text: 'Late', delayMs: 60_000 }]), clock }).send('Go')
  await clock.advance(59_999)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  expect((await turn).text).toBe('Late')
})

test.each([
  { wrong: 'befoerTool', right: 'beforeTool' },
  { wrong: 'onChunks', right: 'onChunk' },
  { wrong: 'prioritiy', right: 'priority' },
])('a misspelt member is refused with the nearest: $wrong', ({ wrong, right }) => {
  const make = () => middleware({ name: 'odd', [wrong]: () => undefined } as Definition)
  expect(make).toThrow(`Did you mean "${right}"?`)
})

test('after hooks find the result of their stage in the draft', async () => {
  const seen: unknown[] = []
  const spy = middleware({
    name: 'spy',
    afterInput: ctx => void seen.push(ctx.draft.userMessage?.role),
    afterModel: ctx => void seen.push(ctx.draft.reply === ctx.reply),
    afterTools: ctx => void seen.push(ctx.draft.results),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [spy] }).send('Go')
  expect(seen).toEqual(['user', true, [{ status: 'ok', value: { n: 1 } }], true])
})

describe('the draft is cleared when the step ends', () => {
  test.each<{ what: string; hooks: object; error?: Error; status: string }>([
    { what: 'completed', hooks: {}, status: 'completed' },
    { what: 'stopped', hooks: { afterModel: () => stop('enough') }, status: 'stopped' },
    { what: 'failed', hooks: {}, error: new Error('Down'), status: 'failed' },
    {
      what: 'interrupted',
      hooks: { afterModel: (ctx: Context) => ctx.turn.interrupt() },
      status: 'interrupted',
    },
  ])('and a turn that is $what has none left', async ({ hooks, error, status }) => {
    const script = [{ text: 'Half', ...(error ? { error } : {}) }]
    let turn: Turn | undefined
    const draft = new Promise<Draft>(resolve => {
      const spy = middleware({ name: 'spy', ...hooks, afterTurn: ctx => resolve(ctx.draft) })
      turn = createAgent({ model: scriptedModel(script), use: [spy] }).send('Go')
    })
    expect(await turn?.settled).toMatchObject({ status, text: 'Half' })
    const { text, reply, calls, results, errors, userMessage } = await draft
    expect({ text, reply, calls, results, errors }).toEqual({ text: '', calls: [], results: [], errors: [] })
    expect(textOf(userMessage)).toBe('Go')
  })
})

test("a hook's own model call can be answered by another hook", async () => {
  const said: string[] = []
  const use = [
    middleware({ name: 'cache', beforeGenerate: () => skip('Cached.') }),
    middleware({
      name: 'judge',
      async afterModel(ctx) {
        said.push((await ctx.generate(scriptedModel([]), 'Judge.')).text)
      },
    }),
  ]
  await createAgent({ model: scriptedModel(['Hi']), use }).send('Go')
  expect(said).toEqual(['Cached.'])
})

describe('the result of decide is whether the turn goes on', () => {
  const deciding = async (hooks: object) => {
    const seen: boolean[] = []
    const spy = middleware({ name: 'spy', afterDecide: ctx => void seen.push(ctx.goesOn) })
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    const agent = createAgent({ model: scriptedModel(['One', 'Two', 'Three']), use: [spy, odd], maxSteps: 3 })
    const { steps, status } = await agent.send('Go').settled
    return { steps, status, seen }
  }
  const first = (what: unknown) => (ctx: Context) => (ctx.step === 0 ? what : undefined)

  test.each<{ what: string; hooks: object; steps: number; seen: boolean[] }>([
    { what: 'replace(true)', hooks: { afterDecide: first(replace(true)) }, steps: 2, seen: [true, false] },
    { what: 'replace(false)', hooks: { afterDecide: first(replace(false)) }, steps: 1, seen: [false] },
    {
      what: 'a wrap that returns true',
      hooks: { wrapDecide: (ctx: Context) => ctx.step === 0 },
      steps: 2,
      seen: [true, false],
    },
    { what: 'skip, whatever its value', hooks: { beforeDecide: () => skip(true) }, steps: 1, seen: [false] },
  ])('$what', async ({ hooks, steps, seen }) => {
    expect(await deciding(hooks)).toEqual({ steps, status: 'completed', seen })
  })

  test('skip ends a turn whose model asked for tools, and says so', async () => {
    const seen: boolean[] = []
    const odd = middleware({ name: 'odd', beforeDecide: () => skip(), afterDecide: ctx => void seen.push(ctx.goesOn) })
    const { steps } = await createAgent({ model: oneCall(), tools: [echo], use: [odd] }).send('Go')
    expect({ steps, seen }).toEqual({ steps: 1, seen: [false] })
  })

  test('anything else is refused', async () => {
    const { steps, seen } = await deciding({ afterDecide: first(replace('yes')) })
    expect({ steps, seen }).toEqual({ steps: 1, seen: [false] })
  })
})
