import { createAgent, type ResultPart } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { approval } from './approval/approval.ts'
import { type ClarifyOptions, clarify } from './clarify.ts'

/** The model asks with these arguments, once a step; the person answers each. */
async function ask(args: readonly unknown[], answer: unknown, options: ClarifyOptions = {}) {
  const clock = virtualClock()
  const model = scriptedModel([...args.map(given => ({ calls: [{ name: 'ask_person', args: given }] })), 'done'])
  const agent = createAgent({ model, use: [clarify(options), approval({ deny: ['*'] })], clock, breaker: false })
  const chat = agent.conversation()
  const turn = chat.send('?')
  const payloads: unknown[] = []
  for (let i = 0; i < args.length; i++) {
    await clock.advance(0)
    const [request] = chat.requests
    if (!request) continue
    payloads.push(request.payload)
    if (answer === undefined) await clock.advance(300_000)
    else turn.answer(request.id, answer)
  }
  const { messages } = await turn
  const results = messages.flatMap(({ content }) => content.filter(part => part.type === 'result')) as ResultPart[]
  return { payloads, results: results.map(({ status, value }) => [status, value]) }
}

const question = { question: 'Which city?' }

test.each<{ name: string; args: unknown; answer: unknown; payload: object; result: unknown }>([
  { name: 'text', args: question, answer: 'Oslo', payload: question, result: ['ok', 'Oslo'] },
  { name: 'an object', args: question, answer: { text: 'Oslo' }, payload: question, result: ['ok', 'Oslo'] },
  {
    name: 'with choices',
    args: { ...question, options: ['Oslo', 'Rome'] },
    answer: 'Rome',
    payload: { ...question, options: ['Oslo', 'Rome'] },
    result: ['ok', 'Rome'],
  },
  {
    name: 'nobody',
    args: question,
    answer: undefined,
    payload: question,
    result: ['ok', 'Nobody answered. Go on with what you think best, and say what you assumed.'],
  },
])('the answer is the result, and no guard is asked: $name', async ({ args, answer, payload, result }) => {
  const found = await ask([args], answer)
  expect(found.payloads).toEqual([{ callId: 'call_1_1', ...payload }])
  expect(found.results).toEqual([result])
})

test('a call without a question asks nobody', async () => {
  const found = await ask([{ question: 5 }], 'x')
  expect(found).toEqual({ payloads: [], results: [['error', 'ask_person needs a question: { "question": "…" }.']] })
})

test('after so many questions the model goes on without', async () => {
  const found = await ask([question, question, question], 'Oslo', { max: 2 })
  expect(found.payloads).toHaveLength(2)
  expect(found.results[2]).toEqual(['error', 'You have asked 2 questions. Go on with what you know.'])
})

test('an answer that is no text is refused', async () => {
  const clock = virtualClock()
  const model = scriptedModel([{ calls: [{ name: 'ask_person', args: question }] }, 'done'])
  const chat = createAgent({ model, use: [clarify()], clock }).conversation()
  const turn = chat.send('?')
  await clock.advance(0)
  const { id } = chat.requests[0] as { id: string }
  expect(() => turn.answer(id, { city: 'Oslo' })).toThrow(expect.objectContaining({ code: 'request.invalid' }))
  turn.answer(id, 'Oslo')
  expect((await turn).status).toBe('completed')
})
