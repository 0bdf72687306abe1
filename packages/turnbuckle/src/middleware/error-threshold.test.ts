import { createAgent, tool } from 'turnbuckle'
import { type ErrorThresholdOptions, errorThreshold, toolRetry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const work = tool({
  name: 'work',
  run({ key }) {
    if (key === 'x') throw new Error('no')
    return 'ok'
  },
})
/** Each letter is a step: `x` fails, `u` is an unknown tool. */
const script = (steps: string) => [
  ...Array.from(steps, (key, n) => ({ calls: [{ name: key === 'u' ? 'unknown' : 'work', args: { key, n } }] })),
  'done',
]

describe('errorThreshold', () => {
  test.each<{ steps: string; options: number | ErrorThresholdOptions; ends: string; after: number }>([
    { steps: 'xoxox', options: 3, ends: 'stopped', after: 5 },
    { steps: 'xoxo', options: 3, ends: 'completed', after: 5 },
    { steps: 'xux', options: 3, ends: 'stopped', after: 3 },
    { steps: 'xux', options: { max: 3, kinds: ['tool'] }, ends: 'completed', after: 4 },
  ])('$steps with $options: $ends after $after', async ({ steps, options, ends, after }) => {
    const use = [errorThreshold(options)]
    const result = await createAgent({ model: scriptedModel(script(steps)), tools: [work], use }).send('go')
    expect([result.status, result.steps]).toEqual([ends, after])
  })

  test('a conversation has one count', async () => {
    const use = [errorThreshold({ max: 3, scope: 'conversation' })]
    const model = scriptedModel([...script('xx'), ...script('xx')])
    const chat = createAgent({ model, tools: [work], use }).conversation()
    expect((await chat.send('go')).status).toBe('completed')
    expect(await chat.send('go')).toMatchObject({ status: 'stopped', steps: 1 })
  })

  test('what a retry put right does not count', async () => {
    let runs = 0
    const flaky = tool({
      name: 'work',
      run() {
        if (runs++ % 2 === 0) throw new Error('no')
        return 'ok'
      },
    })
    const use = [toolRetry({ baseMs: 0, repeat: 'all' }), errorThreshold(1)]
    const result = await createAgent({ model: scriptedModel(script('ooo')), tools: [flaky], use }).send('go')
    expect([result.status, runs]).toEqual(['completed', 6])
  })
})
