import {
  type Call,
  type Context,
  createAgent,
  type Draft,
  middleware,
  pipeline,
  stop,
  type Turn,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, twoSteps } from '../../../test/support/looking.ts'

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('draft', () => {
  test('carries what is in flight, and is cleared when the step ends', async () => {
    const seen: Partial<Draft>[] = []
    const note = ({ draft }: Context) => {
      const { text, reply, calls, results, errors, finishReason } = draft
      seen.push({ text, reply, calls, results, errors: [...errors], finishReason })
    }
    const watch = middleware({ name: 'watch', beforeModel: note, afterModel: note, beforeDecide: note })
    await createAgent({ model: twoSteps(), tools: [look], use: [watch] }).send('Go')
    const [before, after, decide, second] = seen
    const empty = { text: '', reply: undefined, calls: [], results: [], errors: [], finishReason: undefined }
    expect(before).toEqual(empty)
    expect(after?.text).toBe('Looking.')
    expect(after?.finishReason).toBe('tool-calls')
    expect(decide?.calls).toMatchObject([{ id: 'c1' }])
    expect(decide?.results).toMatchObject([{ status: 'ok' }])
    expect(second).toEqual(empty)
  })

  test('has the errors of its step only', async () => {
    const errors: number[] = []
    const broken = tool({
      name: 'look',
      run: () => {
        throw new Error('broken')
      },
    })
    const watch = middleware({ name: 'watch', afterStep: ctx => void errors.push(ctx.draft.errors.length) })
    await createAgent({ model: twoSteps(), tools: [broken], use: [watch] }).send('Go')
    expect(errors).toEqual([1, 0])
  })

  test("has the user's message in every step", async () => {
    const seen: string[] = []
    const watch = middleware({ name: 'watch', beforeStep: ctx => void seen.push(textOf(ctx.draft.userMessage)) })
    await createAgent({ model: twoSteps(), tools: [look], use: [watch] }).send('Go')
    expect(seen).toEqual(['Go', 'Go'])
  })

  // They were one list for all: what a hook pushed onto it, the tools of other agents ran.
  const push = ({ draft }: Context): void => {
    ;(draft.calls as Call[]).push({ type: 'call', id: 'stray', name: 'look', args: {} })
  }
  test.each([
    { before: 'the model', pushing: middleware({ name: 'pushing', beforeModel: push }) },
    { before: 'the detection', pushing: middleware({ name: 'pushing', beforeDetect: push }) },
  ])('what is pushed onto its calls before $before is in no other conversation', async ({ pushing }) => {
    const model = scriptedModel(['Hi'], { repeat: true })
    const refused = await createAgent({ model, tools: [look], use: [pushing] }).send('Go').settled
    expect(refused).toMatchObject({ status: 'failed', by: 'pushing' })
    const other = createAgent({ model, tools: [look], pipeline: pipeline().remove('detect') })
    expect(await other.send('Go')).toMatchObject({ status: 'completed', steps: 1 })
  })
})

test('after hooks find the result of their stage in the draft', async () => {
  const seen: unknown[] = []
  const spy = middleware({
    name: 'spy',
    afterInput: ctx => void seen.push(ctx.draft.userMessage?.role),
    afterModel: ctx => void seen.push(ctx.draft.reply === ctx.reply),
    afterTools: ctx => void seen.push(ctx.draft.results),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [spy] }).send('Go')
  expect(seen).toEqual(['user', true, [{ status: 'ok', value: { n: 1 } }], true])
})

describe('the draft is cleared when the step ends', () => {
  test.each<{ what: string; hooks: object; error?: Error; status: string }>([
    { what: 'completed', hooks: {}, status: 'completed' },
    { what: 'stopped', hooks: { afterModel: () => stop('enough') }, status: 'stopped' },
    { what: 'failed', hooks: {}, error: new Error('Down'), status: 'failed' },
    {
      what: 'interrupted',
      hooks: { afterModel: (ctx: Context) => ctx.turn.interrupt() },
      status: 'interrupted',
    },
  ])('and a turn that is $what has none left', async ({ hooks, error, status }) => {
    const script = [{ text: 'Half', ...(error ? { error } : {}) }]
    let turn: Turn | undefined
    const draft = new Promise<Draft>(resolve => {
      const spy = middleware({ name: 'spy', ...hooks, afterTurn: ctx => resolve(ctx.draft) })
      turn = createAgent({ model: scriptedModel(script), use: [spy] }).send('Go')
    })
    expect(await turn?.settled).toMatchObject({ status, text: 'Half' })
    const { text, reply, calls, results, errors, userMessage } = await draft
    expect({ text, reply, calls, results, errors }).toEqual({ text: '', calls: [], results: [], errors: [] })
    expect(textOf(userMessage)).toBe('Go')
  })
})
