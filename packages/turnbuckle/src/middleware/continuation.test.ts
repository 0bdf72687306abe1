import { createAgent, tool } from 'turnbuckle'
import { type ContinuationOptions, continuation, critic } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const clock = () => virtualClock()
const usage = { inputTokens: 30, outputTokens: 20, cost: 0.5 }
const work = tool({ name: 'work', run: () => 'ok' })
const working = () =>
  scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }], usage })], {
    repeat: true,
  })

/** Answers each question with the next of the answers; nothing lets it expire. */
async function run(options: ContinuationOptions, answers: readonly unknown[]) {
  const time = clock()
  const agent = createAgent({ model: working(), tools: [work], clock: time, use: [continuation(options)] })
  const chat = agent.conversation()
  const turn = chat.send('go')
  for (const answer of answers) {
    await time.advance(0)
    const id = chat.requests[0]?.id ?? ''
    if (answer === undefined) await time.advance(300_000)
    else turn.answer(id, answer)
  }
  return turn
}

const yes = { decision: 'allow' }
const no = { decision: 'deny' }

describe('continuation', () => {
  test.each<{ title: string; options: ContinuationOptions; answers: unknown[]; steps: number }>([
    { title: 'no', options: { max: 2 }, answers: [no], steps: 2 },
    { title: 'yes, then no', options: { max: 2 }, answers: [yes, no], steps: 4 },
    { title: 'yes gives as many more as it says', options: { max: 2, more: 3 }, answers: [yes, yes, no], steps: 8 },
    { title: 'no answer is no', options: { max: 2 }, answers: [yes, undefined], steps: 4 },
    { title: 'tokens', options: { of: 'tokens', max: 100, more: 50 }, answers: [yes, no], steps: 3 },
    { title: 'cost', options: { of: 'cost', max: 1, more: 0.5 }, answers: [yes, yes, no], steps: 4 },
  ])('$title', async ({ options, answers, steps }) => {
    expect(await run(options, answers)).toMatchObject({ status: 'stopped', steps })
  })

  test.each<{ of: 'tokens' | 'cost'; max: number; used: unknown; steps: number }>([
    { of: 'tokens', max: 100, used: expect.any(Number), steps: 3 },
    { of: 'cost', max: 1, used: 'unknown', steps: 1 },
  ])('a model that does not say what it uses: of $of', async ({ of, max, used, steps }) => {
    const silent = scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }] })], {
      repeat: true,
    })
    const turn = createAgent({ model: silent, tools: [work], use: [continuation({ of, max })] }).send('go')
    for await (const event of turn)
      if (event.type === 'request.opened') {
        expect(event.payload).toMatchObject({ limit: of, used })
        turn.answer(event.requestId, no)
      }
    expect(await turn).toMatchObject({ status: 'stopped', steps })
  })

  test('a yes to a cost that nobody knows holds for the rest of the turn', async () => {
    const silent = scriptedModel([{ calls: [{ name: 'work' }] }, { calls: [{ name: 'work', args: { n: 2 } }] }, 'done'])
    const turn = createAgent({ model: silent, tools: [work], use: [continuation({ of: 'cost', max: 1 })] }).send('go')
    const asked: unknown[] = []
    for await (const event of turn)
      if (event.type === 'request.opened') {
        asked.push(event.payload)
        turn.answer(event.requestId, yes)
      }
    expect(await turn).toMatchObject({ status: 'completed', text: 'done' })
    expect(asked).toEqual([{ limit: 'cost', used: 'unknown', max: 1, more: 1 }])
  })

  test('a price estimates what a model does not say', async () => {
    const silent = scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }] })], {
      repeat: true,
    })
    const use = [continuation({ of: 'cost', max: 0.0001, price: { input: 1, output: 1 } })]
    const turn = createAgent({ model: silent, tools: [work], use }).send('go')
    for await (const event of turn)
      if (event.type === 'request.opened') {
        expect(event.payload).toMatchObject({ limit: 'cost', used: expect.any(Number) })
        turn.answer(event.requestId, no)
      }
    expect(await turn).toMatchObject({ status: 'stopped', by: 'continuation-cost', usage: { estimated: true } })
  })

  test.each([
    { answer: yes, ends: { status: 'completed', text: 'draft' }, judged: 1 },
    { answer: no, ends: { status: 'stopped', by: 'continuation-cost', text: 'draft' }, judged: 0 },
  ])('a judge’s call is asked for too: $answer.decision', async ({ answer, ends, judged }) => {
    const judge = scriptedModel(['ACCEPT'])
    const model = scriptedModel([{ text: 'draft', usage }])
    const use = [critic(judge), continuation({ of: 'cost', max: 0.5 })]
    const turn = createAgent({ model, use }).send('go')
    for await (const event of turn) if (event.type === 'request.opened') turn.answer(event.requestId, answer)
    expect(await turn).toMatchObject(ends)
    expect(judge.prompts).toHaveLength(judged)
  })

  test('a malformed answer is refused and the question stays open', async () => {
    const time = clock()
    const agent = createAgent({ model: working(), tools: [work], clock: time, use: [continuation({ max: 1 })] })
    const chat = agent.conversation()
    const turn = chat.send('go')
    await time.advance(0)
    const [request] = chat.requests
    expect(request).toMatchObject({ kind: 'continuation', payload: { limit: 'steps', used: 1, max: 1, more: 1 } })
    expect(() => turn.answer(request?.id ?? '', { decision: 'perhaps' })).toThrow('does not answer')
    turn.answer(request?.id ?? '', no)
    expect((await turn).status).toBe('stopped')
  })

  test('an interrupt while it waits is an interrupt, not a no', async () => {
    const time = clock()
    const agent = createAgent({ model: working(), tools: [work], clock: time, use: [continuation({ max: 1 })] })
    const turn = agent.send('go')
    await time.advance(0)
    turn.interrupt()
    expect((await turn).status).toBe('interrupted')
  })
})
