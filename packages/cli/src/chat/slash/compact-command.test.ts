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

test('a summary is named in the status line while it is written, and can be stopped', async () => {
  const model = {
    async *stream(_: unknown, { signal }: { readonly signal: AbortSignal }) {
      yield { type: 'text', text: 'They' }
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const { session } = chatSession({}, { model })
  await session.conversation.send('Go')
  const compacting = runSlashCommand(session, '/compact')
  expect(session.state.beside).toMatchObject([{ name: 'writing a summary' }])
  session.endBeside()
  await compacting
  expect(lastText(session)).toBe('No summary was written; nothing was changed.')
  expect([session.state.beside, session.conversation.id]).toEqual([[], 'conv_a'])
})

test('a turn that began and ended while the summary was written is not lost', async () => {
  const { session } = chatSession(
    {},
    {
      model: {
        async *stream() {
          await session.conversation.send('And on')
          yield { type: 'text', text: 'They said go.' }
        },
      },
    },
  )
  await session.conversation.send('Go')
  await runSlashCommand(session, '/compact')
  expect(lastText(session)).toBe('A turn began meanwhile; nothing was changed.')
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
