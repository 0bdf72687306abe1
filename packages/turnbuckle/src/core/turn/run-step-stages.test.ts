import { createAgent, type Directive, goto, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('goto', () => {
  const jumping = async (hook: string, to: string, options: { maxSteps?: number; always?: boolean } = {}) => {
    let jumped = false
    const jump = middleware({
      name: 'jump',
      [hook]: (): Directive | undefined => {
        if (jumped && !options.always) return undefined
        jumped = true
        return goto(to)
      },
    } as Definition)
    const model = options.always ? scriptedModel(['Again'], { repeat: true }) : oneCall()
    return createAgent({ model, tools: [echo], use: [jump], maxSteps: options.maxSteps ?? 50 }).send('Go').settled
  }

  test('cannot open more model stages than maxSteps', async () => {
    const { status, by, steps } = await jumping('afterModel', 'model', { maxSteps: 5, always: true })
    expect({ status, by, steps }).toEqual({ status: 'stopped', by: 'maxSteps', steps: 5 })
  })

  test('to the tools, past the detection, runs the calls of the reply', async () => {
    const { messages, text } = await jumping('afterModel', 'tools')
    expect(resultsOf(messages)).toMatchObject([{ status: 'ok', value: { n: 1 } }])
    expect(text).toBe('Done')
  })

  test('to the model, after the decision to go on, leaves that decision behind', async () => {
    const { messages, steps } = await jumping('afterDecide', 'model')
    expect(steps).toBe(2)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done' }] })
  })

  test('away from a call tells the model that it was not run', async () => {
    const { messages } = await jumping('beforeTool', 'decide')
    expect(resultsOf(messages)).toMatchObject([{ status: 'blocked', value: 'The call was not run.' }])
  })
})
