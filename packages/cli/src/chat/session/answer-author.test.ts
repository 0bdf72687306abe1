import { middleware } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { joinedChat, pay } from '../../../test/joined-chat.ts'
import type { ChatSession } from './chat-session.ts'

/** Asks somebody who is not at this terminal. */
const askingGrace = middleware({
  name: 'asking',
  beforeTool: async ctx => void (await ctx.ask('text', { question: 'Which account?' }, { to: ['grace'] })),
})
const notYours = 'That question was not put to you.'
function answer(session: ChatSession, given: unknown): void {
  const [question] = session.state.questions
  if (!question) throw new Error('Nothing was asked.')
  session.answer(question, given)
}

test('a question to somebody else, in a conversation of somebody else that another program works on, is not answered here', async () => {
  const { session, turn } = await joinedChat({ owner: 'ada', use: [askingGrace] })
  answer(session, { text: 'Mine.' })
  await expect.poll(() => textsOf(session), { timeout: 5000 }).toContain(notYours)
  turn.interrupt('enough')
  await turn.settled
})

test('a question to somebody else, in a conversation of somebody else, is not answered in a turn that runs here', async () => {
  const model = scriptedModel(['Hello.', { calls: [{ name: 'pay' }] }, 'Paid it.'])
  const { session } = chatSession({ model, tools: [pay], use: [askingGrace] })
  const conversation = session.composed.agent.conversation({ id: 'conv_b', owner: 'ada' })
  await conversation.send('Hi.').settled
  await session.open(conversation)
  session.send('Pay.')
  await expect.poll(() => session.state.questions.length).toBe(1)
  answer(session, { text: 'Mine.' })
  expect(textsOf(session)).toContain(notYours)
  session.interrupt('enough')
  await session.idle()
})

test.each([{}, { owner: 'ada' }])(
  'a question that names nobody is answered here, in a conversation of %o',
  async owned => {
    const { session, turn } = await joinedChat({ ...owned, use: [approval()] })
    answer(session, { decision: 'allow' })
    expect((await turn).text).toBe('Paid it.')
    await expect.poll(() => lastText(session), { timeout: 5000 }).toBe('Paid it.')
  },
)

test('a question to somebody else is answered here in a conversation that belongs to nobody', async () => {
  const { session, turn } = await joinedChat({ use: [askingGrace] })
  answer(session, { text: 'Mine.' })
  expect((await turn).text).toBe('Paid it.')
})
