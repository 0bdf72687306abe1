import { createAgent, tool } from 'turnbuckle'
import { type CircuitBreakerOptions, circuitBreaker } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const args: Record<string, unknown> = {
  a: { city: 'Oslo', days: [1, { n: 2 }] },
  A: { days: [1, { n: 2 }], city: 'Oslo' },
  b: { city: 'Rome' },
}
/** Each word is a batch, each letter a call: `a` and `A` differ in the order of keys. */
const script = (batches: string) => [
  ...batches.split(' ').map(batch => ({ calls: Array.from(batch, key => ({ name: 'work', args: args[key] })) })),
  'done',
]

describe('circuitBreaker', () => {
  test.each<{ title: string; batches: string; ran: number; status: string; options?: CircuitBreakerOptions }>([
    { title: 'the third identical call in a row does not run', batches: 'a a a', ran: 2, status: 'stopped' },
    { title: 'the order of keys does not matter', batches: 'a A a', ran: 2, status: 'stopped' },
    { title: 'another call in between starts again', batches: 'a a b a a', ran: 5, status: 'completed' },
    { title: 'a row goes on across batches', batches: 'ba a a', ran: 3, status: 'stopped' },
    { title: 'five identical calls in a batch: none runs', batches: 'aaaaa', ran: 0, status: 'stopped' },
    {
      title: 'five identical calls in a batch, with others between them',
      batches: 'abababaAb',
      ran: 0,
      status: 'stopped',
    },
    { title: 'four of them are let through', batches: 'abababab', ran: 8, status: 'completed' },
    { title: 'thresholds can be set', batches: 'a a a a', ran: 3, status: 'stopped', options: { consecutive: 4 } },
  ])('$title', async ({ batches, ran, status, options }) => {
    let runs = 0
    const work = tool({ name: 'work', run: () => ++runs })
    const use = options ? [circuitBreaker(options)] : []
    const result = await createAgent({ model: scriptedModel(script(batches)), tools: [work], use }).send('go')
    expect([runs, result.status]).toEqual([ran, status])
  })

  test('it says why, in the closing text and the reason', async () => {
    const work = tool({ name: 'work', run: () => 1 })
    const result = await createAgent({ model: scriptedModel(script('a a a')), tools: [work] }).send('go')
    expect(result.reason).toBe('work was called 3 times in a row with the same arguments')
    expect(result.text).toContain('I stopped')
  })

  test('createAgent({ breaker: false }) removes it', async () => {
    const work = tool({ name: 'work', run: () => 1 })
    const model = scriptedModel(script('a a a a a a'))
    const result = await createAgent({ model, tools: [work], breaker: false }).send('go')
    expect(result.status).toBe('completed')
  })
})
