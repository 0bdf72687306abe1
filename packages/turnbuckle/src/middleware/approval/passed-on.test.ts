import { createAgent, tool } from 'turnbuckle'
import { type ApprovalOptions, approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const pay = tool({ name: 'pay', run: () => 'paid' })

/** A turn that waits for the answer to its question. */
async function waiting(options: ApprovalOptions) {
  const clock = virtualClock()
  const model = scriptedModel([{ calls: [{ name: 'pay' }] }, 'done'])
  const store = memoryStore()
  const agent = createAgent({ model, tools: [pay], use: [approval(options)], clock, store })
  const chat = agent.conversation()
  const turn = chat.send('Pay')
  await clock.advance(0)
  const answer = async (given: object, by?: string) => {
    const [request] = chat.requests
    await chat.answer(request?.id ?? '', given, { by })
    await clock.advance(0)
  }
  const status = async () =>
    (await turn).messages.flatMap(({ content }) => content).find(part => part.type === 'result')
  return { clock, chat, turn, answer, status, store }
}

test('a person passes a question on, and the other one decides', async () => {
  const asked = await waiting({ to: 'bob', delegates: ['cfo', 'lead'] })
  expect(asked.chat.requests).toMatchObject([{ to: ['bob'], payload: { delegates: ['cfo', 'lead'] } }])
  await asked.answer({ decision: 'delegate', to: 'cfo' }, 'bob')
  expect(asked.chat.requests).toMatchObject([{ to: ['cfo'], payload: { to: 'cfo', from: 'bob' } }])
  await expect(asked.answer({ decision: 'allow' }, 'bob')).rejects.toMatchObject({ code: 'request.foreign' })
  await asked.answer({ decision: 'allow' }, 'cfo')
  expect(await asked.status()).toMatchObject({ status: 'ok' })
})

test.each([
  { name: 'nobody is named', options: {}, answer: { decision: 'delegate', to: 'cfo' } },
  { name: 'somebody else is named', options: { delegates: ['lead'] }, answer: { decision: 'delegate', to: 'cfo' } },
  { name: 'it does not say to whom', options: { delegates: ['*'] }, answer: { decision: 'delegate' } },
  { name: 'to nobody', options: { delegates: ['*'] }, answer: { decision: 'delegate', to: '' } },
  { name: 'with arguments', options: { delegates: ['*'] }, answer: { decision: 'delegate', to: 'cfo', args: {} } },
])('passing on is refused, and the question stays open: $name', async ({ options, answer }) => {
  const asked = await waiting(options)
  await expect(asked.answer(answer)).rejects.toMatchObject({ code: 'request.invalid' })
  expect(asked.chat.requests).toHaveLength(1)
  await asked.answer({ decision: 'deny' })
  expect(await asked.status()).toMatchObject({ status: 'denied' })
})

test('a question that was passed on has a deadline of its own, and then goes on as it would have', async () => {
  const asked = await waiting({ delegates: ['*'], escalate: [{ after: 100, to: 'lead' }], timeout: 1000 })
  await asked.clock.advance(60)
  await asked.answer({ decision: 'delegate', to: 'cfo' })
  expect(asked.chat.requests).toMatchObject([{ to: ['cfo'], deadline: 160 }])
  await asked.clock.advance(100)
  expect(asked.chat.requests).toMatchObject([{ to: ['lead'] }])
  await asked.clock.advance(1000)
  expect(await asked.status()).toMatchObject({ status: 'denied' })
})

test('a question that was passed on while no process ran the turn is put to the other one on resume', async () => {
  const store = memoryStore()
  const make = (model: ReturnType<typeof scriptedModel>) =>
    createAgent({ model, tools: [pay], use: [approval({ delegates: ['cfo'] })], store })
  const first = make(scriptedModel([{ calls: [{ name: 'pay' }] }]))
  const left = first.send('Pay')
  for await (const { type } of left) if (type === 'request.opened') await first.close()
  const second = make(scriptedModel(['Paid.']))
  const chat = await second.open(left.conversationId)
  await chat.answer(chat.requests[0]?.id ?? '', { decision: 'delegate', to: 'cfo' })
  const turn = second.resume(left.conversationId)
  for await (const event of turn ?? [])
    if (event.type === 'request.opened' && event.to?.includes('cfo'))
      turn?.answer(event.requestId, { decision: 'allow' }, { by: 'cfo' })
  expect((await turn)?.text).toBe('Paid.')
})

test('a vote cannot be passed on', () => {
  expect(() => approval({ quorum: 2, delegates: ['cfo'] })).toThrow('a vote cannot be passed on')
})
