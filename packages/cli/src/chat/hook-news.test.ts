import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../test/chat-session.ts'
import type { TrustItem } from '../settings/trust-file.ts'
import { hookNews } from './hook-news.ts'

const item: TrustItem = { kind: 'hook', name: 'guard.ts', does: 'runs at each call', hash: 'abcdef0123456789' }

test.each([
  { decision: 'allow', isTrusted: true },
  { decision: 'deny', isTrusted: false },
])('the answer $decision to a saved hook is heard', async ({ decision, isTrusted }) => {
  const { session } = chatSession()
  const trusted = hookNews(session).trust(item, new AbortController().signal)
  const [question] = session.state.questions
  expect(question).toMatchObject({ title: 'guard.ts has changed', own: true })
  if (question) session.answer(question, { decision })
  expect(await trusted).toBe(isTrusted)
})

test('what was changed since the hook was trusted is shown with the question', () => {
  const { session } = chatSession()
  void hookNews(session).trust({ ...item, text: 'new\n', trustedText: 'old\n' }, new AbortController().signal)
  expect(session.state.questions[0]?.diff).toContain('+new')
})

test('the question about a hook goes when it is saved again, and trusts nothing', async () => {
  const { session } = chatSession()
  const saved = new AbortController()
  const trusted = hookNews(session).trust(item, saved.signal)
  saved.abort()
  expect([await trusted, session.state.questions]).toEqual([false, []])
})

test('a hook that is in force, and one that is not, are told', () => {
  const { session } = chatSession()
  const news = hookNews(session)
  news.reloaded('guard.ts')
  expect(lastText(session)).toBe('guard.ts was saved, and is in force from the next stage on.')
  news.kept('guard.ts', 'it is broken')
  expect(lastText(session)).toBe('guard.ts was saved, but the old one stays: it is broken')
})
