import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { ageOf } from './resume-command.ts'
import { runSlashCommand } from './run-slash-command.ts'

test('/resume offers the conversations of the project, the present one first chosen, and opens the one that is taken', async () => {
  const { session } = chatSession()
  await runSlashCommand(session, '/resume')
  expect(lastText(session)).toBe('There is no conversation yet.')
  await session.conversation.send('The first.')
  await session.composed.agent.conversation('conv_b').send('The second.')
  await runSlashCommand(session, '/resume')
  const { picker } = session.state
  expect(picker?.items.map(({ label }) => label).sort()).toEqual(['The first.', 'The second.'])
  expect(picker?.items[picker.at]?.id).toBe('conv_a')
  picker?.take('conv_b')
  await vi.waitFor(() => expect(session.conversation.id).toBe('conv_b'))
})

test('/resume shows what is known of a cost of which a part is not, as after an interrupt', async () => {
  const used = { inputTokens: 10, outputTokens: 5 }
  const replies = [
    { text: 'One.', usage: { ...used, cost: 0.5 } },
    { text: 'Two.', usage: used },
  ]
  const { session } = chatSession({ model: scriptedModel(replies) })
  for (const said of ['First.', 'Second.']) await session.conversation.send(said)
  await session.conversation.kept()
  await runSlashCommand(session, '/resume')
  expect(session.state.picker?.items[0]?.detail).toBe('just now · ≥ $0.50')
})

test('/resume with the beginning of an id opens that conversation, for who cannot walk through a list', async () => {
  const { session } = chatSession()
  await session.conversation.send('The first.')
  await session.composed.agent.conversation('conv_b').send('The second.')
  await runSlashCommand(session, '/resume conv_b')
  expect([session.conversation.id, session.state.picker]).toEqual(['conv_b', undefined])
  await runSlashCommand(session, '/resume nothing')
  expect(lastText(session)).toContain('There is no conversation "nothing".')
})

test.each([
  { ms: 59_000, age: 'just now' },
  { ms: 5 * 60_000, age: '5 min ago' },
  { ms: 3.9 * 60 * 60_000, age: '3 h ago' },
  { ms: 50 * 60 * 60_000, age: '2 d ago' },
])('$ms ms are $age', ({ ms, age }) => {
  expect(ageOf(ms)).toBe(age)
})
