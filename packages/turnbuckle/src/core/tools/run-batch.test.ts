import { block, createAgent, middleware, type Part, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

const results = (messages: readonly { readonly content: readonly Part[] }[]) =>
  messages.flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'result' ? [[part.status, part.value]] : [])),
  )

test('an interrupt at the third question leaves a refusal a refusal, and says of the others that they did not run', async () => {
  const ran: string[] = []
  const run = tool({ name: 'act', run: (args: { readonly n: number }) => void ran.push(String(args.n)) })
  const calls = [1, 2, 3].map(n => ({ name: 'act', args: { n } }))
  const asking = middleware({
    name: 'asking',
    guard: true,
    async beforeTool(ctx) {
      const { n } = ctx.call.args as { n: number }
      if (n === 2) return block('not that one')
      if (n === 3) {
        ctx.turn.interrupt('enough')
        await new Promise(() => {})
      }
    },
  })
  const turn = createAgent({ model: scriptedModel([{ calls }]), tools: [run], use: [asking] }).send('Go.')
  const { status, messages } = await turn.settled
  expect(status).toBe('interrupted')
  expect(ran).toEqual([])
  expect(results(messages)).toEqual([
    ['interrupted', 'Interrupted before it ran.'],
    ['blocked', 'not that one'],
    ['interrupted', 'Interrupted before it ran.'],
  ])
})

test('of a call that had begun nobody says that it did not run', async () => {
  const hang = tool({ name: 'hang', run: () => new Promise<never>(() => {}) })
  const turn = createAgent({ model: scriptedModel([{ calls: [{ name: 'hang', args: {} }] }]), tools: [hang] }).send(
    'Go.',
  )
  for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt()
  const { messages } = await turn.settled
  expect(results(messages)).toEqual([['interrupted', 'Interrupted. It may have completed.']])
})

test('calls that are no list fail the tools stage, with an error that says so, and each call gets a result', async () => {
  const meddles = middleware({
    name: 'meddles',
    beforeTools(ctx) {
      ctx.calls = { ...ctx.calls } as never
    },
  })
  const look = tool({ name: 'look', run: () => 'seen' })
  const calls = [{ name: 'look' }, { name: 'look' }]
  const turn = createAgent({ model: scriptedModel([{ calls }]), tools: [look], use: [meddles], breaker: false }).send(
    'Go.',
  )
  const { status, by, reason, messages } = await turn.settled
  expect([status, by]).toEqual(['failed', 'tools'])
  expect(reason).toBe('The calls of a batch are a list. Keep the calls that the model made.')
  expect(results(messages)).toEqual(calls.map(() => ['blocked', 'The tools were not run.']))
})

describe('time and order', () => {
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
