import {
  createAgent,
  type Directive,
  goto,
  type Message,
  middleware,
  replace,
  skip,
  type TurnbuckleError,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** Sentences of the design, each of which was once not true. */

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])
const results = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
const codeOf = (act: () => unknown): string => {
  try {
    act()
    return 'accepted'
  } catch (error) {
    return (error as TurnbuckleError).code
  }
}

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
    })
    const model = options.always ? scriptedModel(['Again'], { repeat: true }) : oneCall()
    return createAgent({ model, tools: [echo], use: [jump], maxSteps: options.maxSteps ?? 50 }).send('Go').settled
  }

  test('cannot open more model stages than maxSteps', async () => {
    const { status, by, steps } = await jumping('afterModel', 'model', { maxSteps: 5, always: true })
    expect({ status, by, steps }).toEqual({ status: 'stopped', by: 'maxSteps', steps: 5 })
  })

  test('to the tools, past the detection, runs the calls of the reply', async () => {
    const { messages, text } = await jumping('afterModel', 'tools')
    expect(results(messages)).toMatchObject([{ status: 'ok', value: { n: 1 } }])
    expect(text).toBe('Done')
  })

  test('to the model, after the decision to go on, leaves that decision behind', async () => {
    const { messages, steps } = await jumping('afterDecide', 'model')
    expect(steps).toBe(2)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done' }] })
  })

  test('away from a call tells the model that it was not run', async () => {
    const { messages } = await jumping('beforeTool', 'decide')
    expect(results(messages)).toMatchObject([{ status: 'blocked', value: 'The call was not run.' }])
  })
})

describe('a value that cannot be the result of the stage', () => {
  test.each([
    { hook: 'afterModel', give: replace(42) },
    { hook: 'afterDetect', give: replace('no list') },
    { hook: 'afterInput', give: replace(42) },
  ])('is reported where an after hook gave it: $hook', async ({ hook, give }) => {
    const odd = middleware({ name: 'odd', [hook]: () => give })
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
  expect(results(messages)).toMatchObject([{ status: 'blocked' }])
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
