import { createAgent, type Model, tool } from 'turnbuckle'
import { type RateLimitOptions, rateLimit, retry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const agentWith = (options: RateLimitOptions, clock = virtualClock()) => ({
  clock,
  agent: createAgent({ model: scriptedModel(['hi'], { repeat: true }), clock, use: [rateLimit(options)] }),
})

describe('rateLimit', () => {
  test.each<{ limit: number; perMs: number; maxWaitMs?: number; waits: number[]; gives: string }>([
    { limit: 2, perMs: 1000, waits: [0, 400, 400, 199, 1, 399, 1], gives: '++--+-+' },
    { limit: 1, perMs: 1000, waits: [0, 999, 1, 999, 1], gives: '+-+-+' },
    { limit: 3, perMs: 100, waits: [0, 0, 0, 0, 100, 0, 0, 0], gives: '+++-+++-' },
    { limit: 1, perMs: 1000, maxWaitMs: 999, waits: [0, 0, 1000], gives: '+-+' },
  ])('$limit in $perMs ms, asked after $waits: $gives', async ({ waits, gives, ...options }) => {
    const { agent, clock } = agentWith(options)
    const statuses = []
    for (const wait of waits) {
      await clock.advance(wait)
      statuses.push((await agent.send('go')).status)
    }
    expect(statuses.map(status => (status === 'completed' ? '+' : '-')).join('')).toBe(gives)
  })

  test('whoever may wait does, in order', async () => {
    const { agent, clock } = agentWith({ limit: 1, perMs: 1000, maxWaitMs: 2000 })
    const done: string[] = []
    const turns = ['a', 'b', 'c', 'd'].map(name =>
      agent.send(name).then(({ status }) => done.push(`${name} ${status}`)),
    )
    await clock.advance(0)
    expect(done.sort()).toEqual(['a completed', 'd stopped'])
    await clock.advance(1000)
    expect(done.at(-1)).toBe('b completed')
    await clock.advance(1000)
    await Promise.all(turns)
    expect(done.at(-1)).toBe('c completed')
    expect(clock.timers).toBe(0)
  })

  test('each key has its own count', async () => {
    const { agent } = agentWith({ limit: 1, key: ctx => ctx.conversation.id })
    const [one, two] = [agent.conversation(), agent.conversation()]
    const statuses = [await one.send('x'), await two.send('x'), await one.send('x')].map(({ status }) => status)
    expect(statuses).toEqual(['completed', 'completed', 'stopped'])
  })

  test('each attempt of a retry counts', async () => {
    const model = scriptedModel([{ error: new Error('no') }], { repeat: true })
    const use = [retry({ times: 9, baseMs: 0 }), rateLimit({ limit: 3 })]
    const result = await createAgent({ model, use }).send('go').settled
    expect([result.status, result.by, model.prompts.length]).toEqual(['stopped', 'rate-limit', 3])
  })

  test('a refused call is told to the model', async () => {
    const work = tool({ name: 'work', run: () => 'ok' })
    const model = scriptedModel([{ calls: [1, 2, 3].map(n => ({ name: 'work', args: { n } })) }, 'done'])
    const use = [rateLimit({ limit: 2, of: 'tool' })]
    const { messages, status } = await createAgent({ model, tools: [work], use }).send('go')
    const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
    expect([status, results.map(part => part.status)]).toEqual(['completed', ['ok', 'ok', 'blocked']])
  })

  test('a model that runs tools itself is refused, as by any guard of tools', async () => {
    const model: Model = { id: 'observed', loop: 'observe', async *stream() {} }
    const { status, reason } = await createAgent({ model, use: [rateLimit({ limit: 2, of: 'tool' })] }).send('go')
      .settled
    expect([status, reason]).toEqual(['failed', expect.stringContaining('could not protect: rate-limit')])
  })

  test('turns can be counted', async () => {
    const { agent } = agentWith({ limit: 1, of: 'turn' })
    const first = await agent.send('go')
    const second = await agent.send('go')
    expect([first.status, second.status, second.steps]).toEqual(['completed', 'stopped', 0])
  })

  test('a store that fails refuses', async () => {
    const store = { take: () => Promise.reject(new Error('store is down')) }
    const { agent } = agentWith({ limit: 1, store })
    expect((await agent.send('go').settled).status).toBe('failed')
  })
})
