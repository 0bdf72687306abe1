import { type Context, createAgent, middleware, replace, skip, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

test('a reply that the provider has paused in mid-work is followed by another step', async () => {
  const model = scriptedModel([{ text: 'I look.', finish: 'pause' }, 'Sunny.'])
  const result = await createAgent({ model }).send('Weather?')
  expect(result).toMatchObject({ status: 'completed', steps: 2, text: 'Sunny.', finishReason: 'stop' })
})

test('a provider that never gets on is stopped by the limit of steps', async () => {
  const model = scriptedModel(Array.from({ length: 5 }, () => ({ text: 'I look.', finish: 'pause' })))
  const result = await createAgent({ model, maxSteps: 3 }).send('Weather?').settled
  expect(result).toMatchObject({ status: 'stopped', steps: 3, finishReason: 'pause' })
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
