import { textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

test('/compact goes on in a new conversation with a summary, and the old one stays', async () => {
  const model = scriptedModel([{ text: 'They said go.', usage: { inputTokens: 100, outputTokens: 5 } }])
  const { session, store } = chatSession({}, { model })
  await session.conversation.send('Go')
  session.conversation.title = 'A talk'
  await runSlashCommand(session, '/compact the route')
  expect(session.conversation.messages.map(textOf)).toEqual([
    'Summary of the conversation so far:\nThey said go.',
    'I have read the summary and go on from there.',
  ])
  expect(session.conversation.title).toBe('A talk')
  expect(lastText(session)).toBe('2 messages became a summary. The whole is still there: /resume, conv_a')
  expect(await store.nodes('conv_a')).toHaveLength(2)
  expect(model.prompts[0]).toMatchObject({ instructions: expect.stringContaining('What matters most: the route') })
  expect(session.state.tokens).toBe(105)
})

test('a conversation without a title gives the compacted one its beginning as a title', async () => {
  const { session } = chatSession({}, { model: scriptedModel(['Hm.', 'They said go.']) })
  await session.conversation.send('Mend the\ncart')
  await runSlashCommand(session, '/compact')
  expect(session.conversation.title).toBe('Mend the cart')
})

test('/compact leaves everything as it is where there is nothing to shorten, or no summary', async () => {
  const { session } = chatSession({}, { model: scriptedModel([' ']) })
  await runSlashCommand(session, '/compact')
  expect(lastText(session)).toBe('There is nothing to make shorter yet.')
  await session.conversation.send('Go')
  await runSlashCommand(session, '/compact')
  expect(lastText(session)).toBe('The summary came back empty; nothing was changed.')
  expect(session.conversation.id).toBe('conv_a')
})
