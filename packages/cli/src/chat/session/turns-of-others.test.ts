import { createAgent, middleware, type Turn, textOf } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { joinedChat, pay, paying } from '../../../test/joined-chat.ts'
import { editorWith } from '../editor/editor.ts'
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

/** A chat, and another program that works on the chat's conversation from `payThere` on. `said`: messages of before. */
async function racing(said: readonly string[] = [], waitMs = 100) {
  const { driver } = memoryStore()
  const store = createStore(driver, { waitMs })
  const model = scriptedModel([...said.map(() => 'Yes.'), 'Hello.'])
  const agent = createAgent({ model, store, tools: [pay], use: [approval()] })
  const { session } = chatSession({}, { agent, store })
  session.conversation = agent.conversation('conv_a')
  for (const text of said) await session.conversation.send(text)
  await session.begin()
  const payThere = async () => {
    const other = createAgent({ model: paying(), store: createStore(driver), tools: [pay], use: [approval()] })
    const turn = (await other.open('conv_a')).send('Pay.')
    for await (const event of turn) if (event.type === 'request.opened') break
    // A turn that is returned alone would be awaited.
    return { turn }
  }
  return { session, payThere, driver }
}

test('a message that loses the race for the conversation waits for the turn of the other program, and is sent after it', async () => {
  const { session, payThere } = await racing(['Hi.'])
  session.tellLater('I ran ls.')
  await payThere()
  session.send('Thanks.')
  await expect.poll(() => session.state.queue, { timeout: 20_000 }).toEqual(['Thanks.'])
  await expect.poll(() => titles(session)).toEqual(['May pay run?'])
  expect(textsOf(session).join()).not.toContain('Failed')
  answer(session, { decision: 'allow' })
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Hello.')
  expect(session.conversation.messages.map(textOf).slice(5)).toEqual(['Paid it.', 'Thanks.\n\nI ran ls.', 'Hello.'])
})

test('what is sent further while a message waits for another program is kept, and all are sent in order', async () => {
  const { session, payThere, driver } = await racing(['Hi.'])
  const { turn } = await payThere()
  session.send('One.')
  session.send('Two.')
  await expect.poll(() => session.state.queue, { timeout: 5000 }).toEqual(['One.', 'Two.'])
  session.send('Three.')
  await expect.poll(() => session.state.queue).toEqual(['One.', 'Two.', 'Three.'])
  expect((await createStore(driver).entries('queue')).map(([, texts]) => texts)).toEqual([['One.', 'Two.', 'Three.']])
  turn.interrupt('enough')
  const said = () => session.conversation.messages.filter(({ role }) => role === 'user').map(textOf)
  await expect.poll(said, { timeout: 10_000 }).toEqual(['Hi.', 'Pay.', 'One.', 'Two.', 'Three.'])
  expect(session.state.queue).toEqual([])
})

test('a message that waits is sent when a program that held the conversation lets go of it without a turn', async () => {
  const { session, driver } = await racing(['Hi.'])
  const lease = { conversation: 'conv_a', holder: 'another/1/y', leaseMs: 60_000, records: [], head: undefined }
  const { fence } = await driver.commit({ ...lease, fence: undefined, release: false })
  session.send('Thanks.')
  await expect.poll(() => session.state.queue, { timeout: 5000 }).toEqual(['Thanks.'])
  expect(session.takeBack()).toBe('Thanks.')
  session.send('Thank you.')
  await expect.poll(() => session.state.queue, { timeout: 5000 }).toEqual(['Thank you.'])
  await driver.commit({ ...lease, fence, release: true })
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Hello.')
  expect(textsOf(session)).not.toContain('Thanks.')
})

test('a message that is stopped before it has lost the race is not sent, and is in the input again', async () => {
  const { session, payThere } = await racing(['Hi.'])
  const { turn } = await payThere()
  session.send('Thanks.')
  session.interrupt('Esc Esc')
  session.set({ editor: editorWith('And more') })
  await expect.poll(() => session.state.editor.text, { timeout: 20_000 }).toBe('Thanks.\nAnd more')
  await expect.poll(() => titles(session)).toEqual(['May pay run?'])
  expect(textsOf(session).join()).toContain('You have stopped it: your message was not sent.')
  answer(session, { decision: 'allow' })
  await turn.settled
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Paid it.')
  expect([session.state.queue, session.isFollowing]).toEqual([[], false])
})

test.each([
  { place: 'before the last message', parent: 1 },
  { place: 'before the first message', parent: undefined },
])(
  'a message for a branch $place that loses the race is not sent elsewhere: it is in the input again',
  async ({ parent }) => {
    const { session, payThere } = await racing(['Hi.', 'Go on.'])
    const { conversation } = session
    session.conversation = conversation.fork(parent === undefined ? null : conversation.messages[parent]?.id)
    const { turn } = await payThere()
    session.send('Go on differently.')
    await expect.poll(() => session.state.editor.text, { timeout: 20_000 }).toBe('Go on differently.')
    expect(session.state.queue).toEqual([])
    expect(textsOf(session).join()).toContain('Another program works on another branch: your message was not sent.')
    turn.interrupt('enough')
    await turn.settled
  },
)

test('a turn that another program begins while the chat is at rest is shown, and what is said then comes after it', async () => {
  const { session, payThere } = await racing(['Hi.'])
  const { turn } = await payThere()
  await expect.poll(() => titles(session), { timeout: 5000 }).toEqual(['May pay run?'])
  expect(textsOf(session)).toEqual(expect.arrayContaining(['Hi.', 'Yes.', 'Pay.']))
  expect(textsOf(session).filter(text => text === 'Hi.')).toHaveLength(1)
  answer(session, { decision: 'allow' })
  expect(await atEnd(turn)).toBe('Paid it.')
  await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Paid it.')
  await expect.poll(() => session.isFollowing, { timeout: 5000 }).toBe(false)
  session.send('Thanks.')
  await session.idle()
  expect(session.conversation.messages.map(textOf).slice(-3)).toEqual(['Paid it.', 'Thanks.', 'Hello.'])
})

/** Another program on the same store, whose model says this. */
const another = (driver: ReturnType<typeof memoryStore>['driver'], ...replies: readonly string[]) =>
  createAgent({ model: scriptedModel([...replies]), store: createStore(driver), breaker: false })

test('all turns that another program has done while a list was open are shown when it is closed', async () => {
  const { session, driver } = await racing(['Hi.'])
  session.set({ tree: { lines: [], at: 0 } as unknown as ChatSession['state']['tree'] })
  const there = await another(driver, 'One.', 'Two.', 'Three.').open('conv_a')
  for (const text of ['First.', 'Second.', 'Third.']) await there.send(text)
  session.set({ tree: undefined })
  await expect.poll(() => lastText(session), { timeout: 10_000 }).toBe('Three.')
  expect(textsOf(session).slice(-6)).toEqual(['First.', 'One.', 'Second.', 'Two.', 'Third.', 'Three.'])
  const { usage } = (await createStore(driver).conversation('conv_a')) ?? {}
  expect(session.state.tokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0))
})

test('turns of another program that were not shown yet are shown before what is said here', async () => {
  const { session, driver } = await racing(['Hi.'])
  const there = await another(driver, 'One.', 'Two.').open('conv_a')
  for (const text of ['First.', 'Second.']) await there.send(text)
  session.send('Thanks.')
  await session.idle()
  expect(textsOf(session).slice(-6)).toEqual(['First.', 'One.', 'Second.', 'Two.', 'Thanks.', 'Hello.'])
})

test('a turn that had not ended, and that another program goes on with, is shown to its end', async () => {
  const { session, payThere, driver } = await racing(['Hi.'])
  const { turn } = await payThere()
  await expect.poll(() => titles(session), { timeout: 5000 }).toEqual(['May pay run?'])
  turn.park()
  await expect.poll(() => titles(session), { timeout: 5000 }).toEqual(['The last turn did not end'])
  answer(session, { decision: 'deny' })
  const there = createAgent({ model: paying(), store: createStore(driver), tools: [pay], use: [approval()] })
  await there.open('conv_a')
  const resumed = there.resume('conv_a')
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened') resumed?.answer(event.requestId, { decision: 'allow' })
  await expect.poll(() => textsOf(session).join(), { timeout: 5000 }).toContain('Another program has gone on')
  expect(textsOf(session).filter(text => text === 'Pay.')).toHaveLength(1)
  expect(session.conversation.unfinished).toEqual([])
})

test('a turn that another program begins on another branch does not come between', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { session, payThere } = await racing(['Hi.', 'Go on.'])
  session.conversation = session.conversation.fork(session.conversation.messages[1]?.id)
  session.redraw()
  const { turn } = await payThere()
  turn.interrupt('enough')
  await turn.settled
  await vi.advanceTimersByTimeAsync(3000)
  expect([session.isFollowing, textsOf(session).includes('Pay.')]).toEqual([false, false])
  const told = textsOf(session).filter(text => text.includes('goes on with another branch'))
  expect(told).toHaveLength(1)
})
