import { createAgent, tool } from 'turnbuckle'
import { type ErrorTrackingOptions, errorTracking } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const work = tool({
  name: 'work',
  run({ key }) {
    if (key === 'x') throw new Error('no')
    return 'ok'
  },
})
/** Each word is a step, each letter a call: `x` fails. */
const script = (steps: string) => [
  ...steps
    .split(' ')
    .map(step => ({ calls: Array.from(step, (key, n) => ({ name: 'work', args: { key, n, step } })) })),
  'done',
]

describe('errorTracking', () => {
  test.each<{ steps: string; options?: number | ErrorTrackingOptions; ends: string; after: number }>([
    { steps: 'x x x o', ends: 'stopped', after: 3 },
    { steps: 'x x o x x', ends: 'completed', after: 6 },
    { steps: 'xo xo xo', ends: 'stopped', after: 3 },
    { steps: 'xo xo xo', options: { when: 'all' }, ends: 'completed', after: 4 },
    { steps: 'xx xx xx', options: { when: 'all' }, ends: 'stopped', after: 3 },
    { steps: 'x o', options: 1, ends: 'stopped', after: 1 },
    { steps: 'x x x', options: { statuses: ['blocked'] }, ends: 'completed', after: 4 },
  ])('$steps with $options: $ends after $after', async ({ steps, options, ends, after }) => {
    const agent = createAgent({
      model: scriptedModel(script(steps)),
      tools: [work],
      breaker: false,
      use: [errorTracking(options)],
    })
    const result = await agent.send('go')
    expect([result.status, result.steps]).toEqual([ends, after])
  })
})
