import { createAgent, middleware, type Turn, textOf } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { joinedChat, pay, paying } from '../../../test/joined-chat.ts'
import { runSlashCommand } from '../slash/run-slash-command.ts'
import type { ChatSession } from './chat-session.ts'

const joined = (quorum = 1) => joinedChat(quorum > 1 ? { use: [approval({ quorum })] } : {})
const titles = ({ state }: ChatSession) => state.questions.map(({ title }) => title)
function answer(session: ChatSession, given: unknown): void {
  const [question] = session.state.questions
  if (question) session.answer(question, given)
}
const atEnd = async (turn: Turn) => (await turn).text

test('what a turn of another program asks is shown and answered here, and how it goes on is shown too', async () => {
  const { session, turn } = await joined()
  expect(titles(session)).toEqual(['May pay run?'])
  answer(session, { decision: 'allow' })
  expect(await atEnd(turn)).toBe('Paid it.')
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Paid it.')
  expect(session.conversation.messages.at(-1)?.role).toBe('assistant')
  expect(titles(session)).toEqual([])
})

test('the second vote of a quorum is asked for here when the first was given there', async () => {
  const { session, turn } = await joined(2)
  const [first] = session.conversation.requests
  turn.answer(first?.id ?? '', { decision: 'allow' }, { by: 'ada' })
  await expect.poll(() => titles(session).join(), { timeout: 5000 }).toContain('so far: ada')
  answer(session, { decision: 'allow' })
  expect(await atEnd(turn)).toBe('Paid it.')
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Paid it.')
  const call = session.state.past.find(({ kind }) => kind === 'tool')
  expect(call).toMatchObject({ status: 'ok', answered: 'allowed by ada and you' })
})

test('the second vote of one person is refused, and the question is open again', async () => {
  const { session, turn } = await joined(2)
  answer(session, { decision: 'allow' })
  await expect.poll(() => titles(session).join(), { timeout: 5000 }).toContain('so far: ')
  answer(session, { decision: 'allow' })
  await expect
    .poll(() => session.state.questions[0]?.problem, { timeout: 5000 })
    .toContain('has answered already; somebody else must.')
  turn.interrupt('enough')
  await turn.settled
})

test('a turn that its program leaves in the middle is offered to go on with', async () => {
  const { session, turn } = await joined()
  turn.park()
  await expect.poll(() => titles(session), { timeout: 5000 }).toEqual(['The last turn did not end'])
  expect(textsOf(session)).toContain('Pay.')
})

test('a conversation that is deleted while its turn is followed is said to be, and a new one is open', async () => {
  const { session, driver } = await joined()
  await driver.delete('conv_a')
  await expect
    .poll(() => textsOf(session), { timeout: 5000 })
    .toEqual(['Another program has deleted the conversation. This is a new one.'])
  expect(titles(session)).toEqual([])
  session.send('Hi.')
  await session.idle()
  expect(lastText(session)).toBe('Hello.')
  expect(session.conversation.id).not.toBe('conv_a')
})

test('a question in words that another program asks is not closed by Esc here, and one is told why', async () => {
  const asking = middleware({
    name: 'asking',
    beforeTool: async ctx => void (await ctx.ask('text', { question: 'Which account?' })),
  })
  const { session, turn } = await joinedChat({ use: [asking] })
  const [question] = session.state.questions
  expect(question?.kind).toBe('text')
  if (question) session.expire(question)
  expect(session.state.questions).toMatchObject([
    { id: question?.id, problem: expect.stringContaining('The other program waits for an answer') },
  ])
  answer(session, { text: 'The blue one.' })
  expect(await atEnd(turn)).toBe('Paid it.')
})

test('a message that is sent while a turn elsewhere is followed waits, and is sent when that has ended', async () => {
  const { session, turn } = await joined()
  session.send('Thanks.')
  await expect.poll(() => session.state.queue).toEqual(['Thanks.'])
  expect(titles(session)).toEqual(['May pay run?'])
  answer(session, { decision: 'allow' })
  await turn.settled
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Hello.')
  expect(session.state.queue).toEqual([])
  expect(session.conversation.messages.map(textOf)).toEqual(['Pay.', '', '', 'Paid it.', 'Thanks.', 'Hello.'])
})

test('a message that waits for a turn elsewhere waits for the next turn there too', async () => {
  const { session, turn, there } = await joined()
  session.queue('Thanks.')
  const more = turn.settled.then(() => there.send('More.'))
  answer(session, { decision: 'allow' })
  await more
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Hello.')
  expect(session.conversation.messages.map(textOf).slice(3)).toEqual([
    'Paid it.',
    'More.',
    'Done.',
    'Thanks.',
    'Hello.',
  ])
})

test('a message that waits for a turn elsewhere is named when the conversation is deleted', async () => {
  const { session, driver } = await joined()
  session.send('Thanks.')
  await expect.poll(() => session.state.queue).toEqual(['Thanks.'])
  await driver.delete('conv_a')
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Not sent:\nThanks.')
})

test.each(['/undo', '/compact', '/continue', '/branch 1'])(
  '%s is refused while a turn elsewhere is followed',
  async line => {
    const { session, turn } = await joined()
    await runSlashCommand(session, line)
    expect(session.state.hint).toBe('Not while another program works on this turn. /clear and /resume leave it.')
    expect(titles(session)).toEqual(['May pay run?'])
    turn.interrupt('enough')
    await turn.settled
  },
)

test('/clear leaves a turn that is followed elsewhere, and answers nothing', async () => {
  const { session, turn, there } = await joined()
  await runSlashCommand(session, '/clear')
  expect([session.isFollowing, titles(session)]).toEqual([false, []])
  expect(there.requests).toHaveLength(1)
  turn.interrupt('enough')
  await turn.settled
})

test('a question that was answered before the chat was opened is not put again', async () => {
  const { driver } = memoryStore()
  const pause = middleware({ name: 'pause', beforeTool: () => new Promise<void>(() => {}) })
  const use = [approval(), { ...pause, guard: true, priority: 900 }]
  const there = createAgent({ model: paying(), store: createStore(driver), tools: [pay], use })
  const turn = there.conversation('conv_a').send('Pay.')
  for await (const event of turn) {
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' })
    if (event.type === 'request.answered') break
  }
  const store = createStore(driver)
  const agent = createAgent({ model: scriptedModel(['Hello.']), store, tools: [pay], use: [approval()] })
  const { session } = chatSession({}, { agent, store })
  await session.open(await agent.open('conv_a'))
  expect(titles(session)).toEqual([])
  expect(textsOf(session)).toContain('Pay.')
  turn.interrupt('enough')
  await turn.settled
})
