import { createAgent, tool } from 'turnbuckle'
import { type CircuitBreakerOptions, circuitBreaker } from 'turnbuckle/middleware'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../test/support/results-of.ts'

const args: Record<string, unknown> = {
  a: { city: 'Oslo', days: [1, { n: 2 }] },
  A: { days: [1, { n: 2 }], city: 'Oslo' },
  b: { city: 'Rome' },
  c: { city: 'Bonn' },
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
    {
      title: 'inside one batch two identical calls run, the third does not',
      batches: 'aaaaa',
      ran: 2,
      status: 'stopped',
    },
    { title: 'nor with others between them, which run', batches: 'abacA', ran: 4, status: 'stopped' },
    { title: 'two of each are let through', batches: 'abab', ran: 4, status: 'completed' },
    { title: 'the third equal batch does not run', batches: 'ab ab ab', ran: 4, status: 'stopped' },
    { title: 'the order inside a batch does not matter', batches: 'ab bA ab', ran: 4, status: 'stopped' },
    { title: 'another batch in between starts again', batches: 'ab ab ac ab ab', ran: 10, status: 'completed' },
    { title: 'test, edit, test, edit, test is no circle', batches: 'a b a b a', ran: 5, status: 'completed' },
    {
      title: 'thresholds inside a batch can be set',
      batches: 'abababab',
      ran: 8,
      status: 'completed',
      options: { inBatch: 5 },
    },
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

  test('the reason names the calls of a repeated batch; the calls it kept from running have results', async () => {
    const work = tool({ name: 'work', run: () => 1 })
    const batch = await createAgent({ model: scriptedModel(script('ab ab ab')), tools: [work] }).send('go')
    expect(batch.reason).toBe('work were called 3 times in a row with the same arguments')
    const { messages, reason } = await createAgent({
      model: scriptedModel(script('aba')),
      tools: [work],
      use: [circuitBreaker({ inBatch: 2 })],
    }).send('go')
    expect(reason).toBe('work was called 2 times at once with the same arguments')
    expect(resultsOf(messages).map(({ status }) => status)).toEqual(['ok', 'ok', 'blocked'])
    expect(checkHistory(messages)).toEqual([])
  })

  test('createAgent({ breaker: false }) removes it', async () => {
    const work = tool({ name: 'work', run: () => 1 })
    const model = scriptedModel(script('a a a a a a'))
    const result = await createAgent({ model, tools: [work], breaker: false }).send('go')
    expect(result.status).toBe('completed')
  })
})
