import { createAgent, tool } from 'turnbuckle'
import { type LoopDetectionOptions, loopDetection } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** Each word is a batch, each letter a call. */
const script = (batches: string) => [
  ...batches.split(' ').map(batch => ({ calls: Array.from(batch, key => ({ name: 'work', args: { key } })) })),
  'done',
]

describe('loopDetection', () => {
  test.each<{ title: string; batches: string; ran: number; status: string; options?: LoopDetectionOptions }>([
    { title: 'two calls, three times', batches: 'a b a b a b', ran: 5, status: 'stopped' },
    { title: 'three calls, three times', batches: 'a b c a b c a b c', ran: 8, status: 'stopped' },
    { title: 'with a beginning before it', batches: 'x y a b a b a b', ran: 7, status: 'stopped' },
    { title: 'across batches', batches: 'ab ab ab', ran: 4, status: 'stopped' },
    { title: 'broken by another call', batches: 'a b a b x a b a b', ran: 9, status: 'completed' },
    { title: 'longer than is looked for', batches: 'abcde abcde abcde', ran: 15, status: 'completed' },
    { title: 'one call over and over is the breaker’s', batches: 'a a a a a a', ran: 6, status: 'completed' },
    { title: 'two rounds if told so', batches: 'a b a b', ran: 3, status: 'stopped', options: { rounds: 2 } },
  ])('$title', async ({ batches, ran, status, options }) => {
    let runs = 0
    const work = tool({ name: 'work', run: () => ++runs })
    const use = [loopDetection(options)]
    const model = scriptedModel(script(batches))
    const result = await createAgent({ model, tools: [work], breaker: false, use }).send('go')
    expect([runs, result.status]).toEqual([ran, status])
  })
})
