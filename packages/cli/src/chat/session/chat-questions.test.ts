import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import type { Question } from '../transcript/question.ts'
import { ChatQuestions } from './chat-questions.ts'
import { ShownChat } from './shown-chat.ts'

const asked: Question = { id: 'r', kind: 'yes-no', title: 'Go on?', body: '' }

/** Questions whose requests are answered by `take`. */
function questions(take: (id: string, given: unknown) => Promise<void> | undefined = () => undefined) {
  const chat = new ShownChat(chatSession().session.composed)
  const expired: string[] = []
  const made = new ChatQuestions(chat, { answer: take, expire: id => expired.push(id) })
  const open = () => chat.state.questions.map(({ id }) => id)
  const texts = () => chat.state.past.map(item => ('text' in item ? item.text : ''))
  return { chat, made, open, texts, expired }
}

test('an answer goes to the turn that asked, and the question is closed', () => {
  const taken: unknown[] = []
  const { made, open } = questions((id, given) => {
    taken.push([id, given])
    return undefined
  })
  made.put(asked)
  expect(open()).toEqual(['r'])
  made.answer(asked, 'yes')
  expect([open(), taken]).toEqual([[], [['r', 'yes']]])
})

test('a question of the chat’s own is answered once, and no turn hears of it', () => {
  const taken: unknown[] = []
  const { chat, made, open } = questions(() => expect.unreachable())
  made.ask({ kind: 'yes-no', title: 'Sure?', body: '' }, given => taken.push(given))
  const [own] = chat.state.questions
  if (!own) throw new Error('Nothing was asked.')
  made.answer(own, 'yes')
  expect([open(), taken]).toEqual([[], ['yes']])
})

test('an answer that is none leaves the question open, with what is wrong; any other refusal closes it', () => {
  let code = 'request.invalid'
  const { chat, made, open, texts } = questions(() => {
    throw new TurnbuckleError(code, 'It does not fit.')
  })
  made.put(asked)
  made.answer(asked, 'x')
  expect(chat.state.questions).toMatchObject([{ id: 'r', problem: 'It does not fit.' }])
  code = 'request.answered'
  made.answer(asked, 'x')
  expect([open(), texts()]).toEqual([[], ['It does not fit.']])
})

test('an answer that another process refuses opens the question again, unless that is over', async () => {
  let code = 'request.invalid'
  const refused = () => Promise.reject(new TurnbuckleError(code, 'It does not fit.'))
  const { chat, made, open, texts } = questions(refused)
  made.put(asked)
  made.answer(asked, 'x')
  await expect.poll(() => chat.state.questions).toMatchObject([{ id: 'r', problem: 'It does not fit.' }])
  code = 'request.answered'
  made.answer(asked, 'x')
  await expect.poll(texts).toEqual(['It does not fit.'])
  expect(open()).toEqual([])
})

test('an answer that a failing store does not take opens the question again, with what failed', async () => {
  const { chat, made } = questions(() => Promise.reject(new Error('The database is locked.')))
  made.put(asked)
  made.answer(asked, 'x')
  await expect.poll(() => chat.state.questions).toMatchObject([{ id: 'r', problem: 'The database is locked.' }])
})

test('a question that is too long for the screen is printed whole as well', () => {
  const { made, texts } = questions()
  made.put({ ...asked, body: 'line\n'.repeat(200) })
  expect(texts()[0]).toContain('Go on?\nline')
})

test('a request that expires is closed, and its turn goes on with the fallback', () => {
  const { made, open, expired } = questions()
  made.put(asked)
  made.expire(asked)
  expect([open(), expired]).toEqual([[], ['r']])
})

test('a session has them: a turn that asks is answered there', () => {
  const { session } = chatSession()
  session.ask({ kind: 'yes-no', title: 'Sure?', body: '' }, () => session.say('So be it.'))
  const [own] = session.state.questions
  if (own) session.answer(own, true)
  expect(lastText(session)).toBe('So be it.')
})

test.each([
  { by: 'ada', decision: { text: 'The blue one.' }, says: ['Answered by ada: The blue one.'] },
  { by: 'ada', decision: { decision: 'deny' }, says: ['Answered by ada: no'] },
  { by: 'me', decision: { outcome: 'happened' }, says: ['Answered in another window: happened'] },
  { by: undefined, decision: { decision: 'allow' }, says: [] },
])('a question that $by answered elsewhere is closed, and one is told', ({ by, decision, says }) => {
  const { made, open, texts } = questions()
  made.put(asked)
  const news = { type: 'request.answered', requestId: 'r', kind: 'clarification', decision, ...(by ? { by } : {}) }
  made.closeAnswered(news as Parameters<typeof made.closeAnswered>[0], 'me')
  made.closeAnswered(news as Parameters<typeof made.closeAnswered>[0], 'me')
  expect([open(), texts()]).toEqual([[], says])
})

test('a question of the chat’s own that is withdrawn is answered by nobody', () => {
  const { made, open } = questions()
  const withdraw = made.ask({ kind: 'yes-no', title: 'Sure?', body: '' }, () => expect.unreachable())
  withdraw()
  expect(open()).toEqual([])
})
