import { block, createAgent, middleware } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const asked = { type: 'call', id: 'c', name: 'mcp.pay', args: { sum: 5 }, byProvider: true, approval: 'a' } as const
const asking = { chunks: [asked] }

/** Plays a turn in which the provider asks, with an answer for each question. */
async function play(use: NonNullable<Parameters<typeof createAgent>[0]['use']>, answer: object) {
  const agent = createAgent({ model: scriptedModel([asking, 'Done.']), use })
  const turn = agent.send('Pay.')
  let questions = 0
  for await (const event of turn)
    if (event.type === 'request.opened') {
      questions++
      void turn.answer(event.requestId, answer)
    }
  const { status, messages } = await turn.settled
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  return { status, questions, results }
}

const refusing = middleware({ name: 'refusing', beforeTool: () => block('Never.') })
const changing = middleware({ name: 'changing', wrapTool: ({ call }, next) => next({ ...call, args: { sum: 500 } }) })

test.each([
  { what: 'nobody else decides', use: [], decision: 'allow', questions: 1, result: 'ok' },
  { what: 'a person says no', use: [], decision: 'deny', questions: 1, result: 'denied' },
  { what: 'approval() has asked', use: [approval()], decision: 'allow', questions: 1, result: 'ok' },
  { what: 'a rule allows it', use: [approval({ allow: ['mcp.*'] })], decision: 'allow', questions: 1, result: 'ok' },
  { what: 'a hook blocks it', use: [refusing], decision: 'allow', questions: 0, result: 'blocked' },
  { what: 'a hook changes its arguments', use: [changing], decision: 'allow', questions: 0, result: 'error' },
])('$what: $result after $questions questions, and the turn goes on', async ({ use, decision, questions, result }) => {
  const played = await play(use, { decision })
  expect(played).toMatchObject({ status: 'completed', questions, results: [{ id: 'c', status: result }] })
})

test('the question survives the process that asked it', async () => {
  const store = memoryStore()
  const first = createAgent({ model: scriptedModel([asking]), store })
  const chat = first.conversation()
  const opened: string[] = []
  for await (const event of chat.send('Pay.'))
    if (event.type === 'request.opened') {
      opened.push(event.requestId)
      break
    }
  await first.close()
  const model = scriptedModel(['Done.'])
  const second = createAgent({ model, store })
  await (await second.open(chat.id)).answer(opened[0] ?? '', { decision: 'allow' })
  expect(await second.resume(chat.id)).toMatchObject({ status: 'completed', text: 'Done.' })
  expect(model.prompts.map(({ messages }) => messages.at(-1)?.content)).toMatchObject([[{ id: 'c', status: 'ok' }]])
})
