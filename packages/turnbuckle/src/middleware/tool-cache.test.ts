import { block, createAgent, middleware, tool } from 'turnbuckle'
import { memoryCache, type ToolCacheOptions, toolCache, toolRetry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const counting = (name = 'read', failures = 0) => {
  const runs = { count: 0 }
  const made = tool({
    name,
    run(args) {
      if (runs.count++ < failures) throw new Error('no')
      return { read: args }
    },
  })
  return { made, runs }
}
const calling = (...batches: readonly unknown[][]) =>
  scriptedModel([...batches.map(args => ({ calls: args.map(one => ({ name: 'read', args: one })) })), 'done'])

describe('toolCache', () => {
  test.each<{ title: string; options?: Partial<ToolCacheOptions>; args: unknown[][]; runs: number }>([
    { title: 'the same arguments', args: [[{ a: 1 }], [{ a: 1 }]], runs: 1 },
    { title: 'the same arguments in another order', args: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]], runs: 1 },
    { title: 'other arguments', args: [[{ a: 1 }], [{ a: 2 }]], runs: 2 },
    { title: 'another tool', options: { tools: [/^list/] }, args: [[{ a: 1 }], [{ a: 1 }]], runs: 2 },
  ])('$title: $runs runs', async ({ options, args, runs }) => {
    const read = counting()
    const use = [toolCache({ tools: ['read'], ...options })]
    const { messages } = await createAgent({ model: calling(...args), tools: [read.made], use }).send('go')
    expect(read.runs.count).toBe(runs)
    const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
    expect(results.map(({ status, value }) => ({ status, value }))).toEqual(
      args.map(([one]) => ({ status: 'ok', value: { read: one } })),
    )
  })

  test.each([
    { title: 'each conversation has its own', options: {}, runs: 2 },
    { title: 'unless they share', options: { key: () => 'all' }, runs: 1 },
  ])('$title', async ({ options, runs }) => {
    const read = counting()
    const cache = toolCache({ tools: ['read'], store: memoryCache(), ...options })
    for (let i = 0; i < 2; i++)
      await createAgent({ model: calling([{ a: 1 }]), tools: [read.made], use: [cache] }).send('go')
    expect(read.runs.count).toBe(runs)
  })

  test('an error is not kept; behind it a retry works', async () => {
    const read = counting('read', 1)
    const use = [toolCache({ tools: ['read'] }), toolRetry({ baseMs: 0, repeat: 'all' })]
    await createAgent({ model: calling([{ a: 1 }], [{ a: 1 }]), tools: [read.made], use }).send('go')
    expect(read.runs.count).toBe(2)
  })

  test('guards are asked about a call whose result is there', async () => {
    const read = counting()
    let asked = 0
    const guard = middleware({
      name: 'guard',
      guard: true,
      beforeTool: () => (++asked > 1 ? block('no more') : undefined),
    })
    const use = [toolCache({ tools: ['read'] }), guard]
    const agent = createAgent({ model: calling([{ a: 1 }], [{ a: 1 }]), tools: [read.made], use })
    const { messages } = await agent.send('go')
    const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
    expect(results.map(({ status }) => status)).toEqual(['ok', 'blocked'])
  })

  test('a wrap before it that changes the arguments changes the key', async () => {
    const read = counting()
    let n = 0
    const changing = middleware({
      name: 'changing',
      wrapTool: (ctx, next) => next({ ...ctx.call, args: { n: n++ } }),
    })
    const use = [changing, toolCache({ tools: ['read'] })]
    await createAgent({ model: calling([{ a: 1 }], [{ a: 1 }]), tools: [read.made], use }).send('go')
    expect(read.runs.count).toBe(2)
  })

  test('a result is good for so long', async () => {
    const clock = virtualClock()
    const read = counting()
    const use = [toolCache({ tools: ['read'], ttlMs: 100, key: () => 'all' })]
    const agent = createAgent({
      model: scriptedModel([{ calls: [{ name: 'read' }] }, 'done'], { repeat: true }),
      clock,
      tools: [read.made],
      use,
    })
    for (const wait of [0, 99, 1]) {
      await clock.advance(wait)
      await agent.send('go')
    }
    expect(read.runs.count).toBe(2)
  })
})
