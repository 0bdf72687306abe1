import { createAgent, TurnbuckleError, tool } from 'turnbuckle'
import { type ToolRetryOptions, toolRetry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const boom = () => new Error('boom')
const late = () => new TurnbuckleError('x.late', 'late', { kind: 'timeout' })

interface Case {
  title: string
  options?: ToolRetryOptions
  errors: (() => Error)[]
  idempotent?: boolean
  name?: string
  runs: number
  status: string
}

describe('toolRetry', () => {
  test.each<Case>([
    { title: 'the first run and two more', errors: [boom, boom], runs: 3, status: 'ok' },
    { title: 'gives up with an error result', errors: [boom, boom, boom], runs: 3, status: 'error' },
    { title: 'times', options: { times: 1 }, errors: [boom, boom], runs: 2, status: 'error' },
    { title: 'only the tools it is for', options: { tools: ['other'] }, errors: [boom], runs: 1, status: 'error' },
    { title: 'a time-out of an idempotent tool', errors: [late], runs: 2, status: 'ok' },
    { title: 'no tool that may have acted', errors: [boom], idempotent: false, runs: 1, status: 'error' },
    {
      title: 'unless told',
      options: { repeat: 'all' },
      errors: [boom],
      idempotent: false,
      runs: 2,
      status: 'ok',
    },
    {
      title: 'and then no time-out: nobody knows what it did',
      options: { repeat: 'all' },
      errors: [late],
      idempotent: false,
      runs: 1,
      status: 'timeout',
    },
    { title: 'an unknown tool is the model’s to put right', errors: [], name: 'nothing', runs: 0, status: 'error' },
  ])('$title', async ({ options, errors, idempotent = true, name = 'work', runs, status }) => {
    let count = 0
    const work = tool({
      name: 'work',
      idempotent,
      run() {
        const error = errors[count++]
        if (error) throw error()
        return 'fine'
      },
    })
    const model = scriptedModel([{ calls: [{ name }] }, 'done'])
    const { messages } = await createAgent({ model, tools: [work], use: [toolRetry({ baseMs: 0, ...options })] }).send(
      'go',
    )
    expect(count).toBe(runs)
    expect(messages[2]?.content).toMatchObject([{ type: 'result', status }])
  })

  test('calls of a batch wait on their own', async () => {
    const clock = virtualClock()
    const runs: string[] = []
    const work = tool({
      name: 'work',
      idempotent: true,
      run({ key }) {
        runs.push(String(key))
        if (runs.filter(run => run === key).length === 1) throw boom()
        return key
      },
    })
    const calls = ['a', 'b'].map(key => ({ name: 'work', args: { key } }))
    const agent = createAgent({
      model: scriptedModel([{ calls }, 'done']),
      tools: [work],
      clock,
      use: [toolRetry({ jitter: 0 })],
    })
    const turn = agent.send('go')
    await clock.advance(500)
    const { messages } = await turn
    expect(runs).toEqual(['a', 'b', 'a', 'b'])
    expect(messages.slice(2, 4).map(({ content }) => content[0])).toMatchObject([{ value: 'a' }, { value: 'b' }])
  })
})
