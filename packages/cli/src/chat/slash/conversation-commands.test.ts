import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from 'turnbuckle'
import { expect, onTestFinished, test } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

test('/title shows and sets the title, /save says how to go on later', async () => {
  const { session, store } = chatSession()
  await runSlashCommand(session, '/save')
  expect(lastText(session)).toBe('Nothing was said yet.')
  await session.conversation.send('Go')
  await runSlashCommand(session, '/title')
  expect(lastText(session)).toBe('No title yet: /title TITLE')
  await runSlashCommand(session, '/title First talk')
  expect(lastText(session)).toBe('First talk')
  await runSlashCommand(session, '/save Renamed')
  expect(lastText(session)).toContain('turnbuckle chat --conversation conv_a')
  expect((await store.conversation('conv_a'))?.title).toBe('Renamed')
})

test('/retry sends the last message again, on a branch beside the first answer', async () => {
  const { session } = chatSession()
  await runSlashCommand(session, '/retry')
  expect(lastText(session)).toBe('There is nothing to try again.')
  await session.conversation.send('Go')
  await runSlashCommand(session, '/retry')
  await session.turn
  expect(session.conversation.messages.map(textOf)).toEqual(['Go', 'Two.'])
  expect(session.conversation.tree).toHaveLength(4)
})

test('/continue says so where there is no turn to go on with', async () => {
  const { session } = chatSession()
  await session.conversation.send('Go')
  await runSlashCommand(session, '/continue')
  await session.turn
  expect(session.conversation.messages.map(textOf)).toEqual(['Go', 'One.', 'Go on.', 'Two.'])
})

test('/export writes a file in the project, and never over another', async () => {
  const root = mkdtempSync(join(tmpdir(), 'turnbuckle-export-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { session } = chatSession({}, { loaded: { root, home: root, user: {} } })
  await runSlashCommand(session, '/export md talk.md')
  expect(lastText(session)).toBe('Nothing was said yet.')
  await session.conversation.send('Go')
  await runSlashCommand(session, '/export md talk.md')
  expect(readFileSync(join(root, 'talk.md'), 'utf8')).toContain('One.')
  await runSlashCommand(session, '/export md talk.md')
  expect(lastText(session)).toBe('There is a talk.md already: choose another name.')
  await runSlashCommand(session, '/export json')
  expect(JSON.parse(readFileSync(join(root, 'conv_a.json'), 'utf8'))).toBeInstanceOf(Object)
  await runSlashCommand(session, '/export pdf')
  expect(lastText(session)).toBe('/export md or /export json')
})

test('/clear begins a new conversation, and leaves the old one in the store', async () => {
  const { session, store } = chatSession()
  await session.conversation.send('Go')
  session.redraw()
  await runSlashCommand(session, '/clear')
  expect(textsOf(session)).not.toContain('One.')
  expect(session.conversation.id).not.toBe('conv_a')
  expect(await store.nodes('conv_a')).toHaveLength(2)
})

test('/cost says that a part of the cost is not known', async () => {
  const { session } = chatSession()
  session.set({ tokens: 1200, cost: 0, context: 300 })
  await runSlashCommand(session, '/cost')
  expect(lastText(session)).toBe('1.2k tokens in this conversation, no cost; the last prompt had 300.')
  session.set({ isCostPartial: true })
  await runSlashCommand(session, '/cost')
  expect(lastText(session)).toContain('the price of the model is not known')
})
